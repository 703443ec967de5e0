// SPDX-License-Identifier: MIT
/*
 * An I2C bus with one thing on it that takes every byte and never answers, as a display does.
 *
 * i2c-stub speaks SMBus only; luma sends a frame as one plain I2C message. What was heard is in
 * debugfs (i2c-sim): the length of each message in two bytes, low byte first, and its bytes, until
 * the buffer is full. With plugged=0 nobody acknowledges.
 */
#include <linux/debugfs.h>
#include <linux/i2c.h>
#include <linux/module.h>

static ushort address = 0x3c;
module_param(address, ushort, 0444);
static bool plugged = true;
module_param(plugged, bool, 0644);

static u8 heard[1 << 18];
static struct debugfs_blob_wrapper blob = { .data = heard };
static struct dentry *file;

static void hear(const struct i2c_msg *message)
{
	if (blob.size + 2 + message->len > sizeof(heard))
		return;
	heard[blob.size] = message->len & 0xff;
	heard[blob.size + 1] = message->len >> 8;
	memcpy(heard + blob.size + 2, message->buf, message->len);
	blob.size += 2 + message->len;
}

static int transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int count)
{
	for (int i = 0; i < count; i++) {
		if (!plugged || messages[i].addr != address || messages[i].flags & I2C_M_RD)
			return -EREMOTEIO;
		hear(&messages[i]);
	}
	return count;
}

static u32 abilities(struct i2c_adapter *bus)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = abilities,
};

static struct i2c_adapter bus = {
	.owner = THIS_MODULE,
	.name = "i2c-sim",
	.algo = &algorithm,
	.nr = 1, /* the one on the pin header */
};

static int __init start(void)
{
	file = debugfs_create_blob("i2c-sim", 0400, NULL, &blob);
	return i2c_add_numbered_adapter(&bus);
}
module_init(start);

static void __exit stop(void)
{
	i2c_del_adapter(&bus);
	debugfs_remove(file);
}
module_exit(stop);

MODULE_DESCRIPTION("An I2C bus with a listener");
MODULE_LICENSE("Dual MIT/GPL");
