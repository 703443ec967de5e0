"""The appliance: what players and programs touch. Each device library lives in one file here."""
