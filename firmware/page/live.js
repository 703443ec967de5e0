// The wire to the device: server-sent events in, and the certainty that somebody is there.
//
// EventSource reconnects by itself when a connection breaks, but not when the server refuses it,
// and it cannot notice a device that has simply gone dark. So a small question is asked every few
// seconds; if it is not answered, the line is declared dead and a new one opened. After every
// (re)connection the device sends everything once, so nothing has to be caught up.

const KINDS = ["state", "oled", "lights", "table", "camera"];
const ASK_EVERY_MS = 5000;
const PATIENCE_MS = 4000;
const AGAIN_AFTER_MS = 1500;

/**
 * `handlers` by kind of event get what was sent; `onLink` is told true or false when the line
 * comes up or goes down; `onMe` what the device says about this browser ({paired, simulated}).
 */
export function connect(handlers, onLink, onMe) {
  let source = null;
  let up = null;

  const link = (now) => {
    if (now !== up) onLink((up = now));
  };

  const open = () => {
    source?.close();
    source = new EventSource("/api/live");
    source.onopen = () => link(true);
    source.onerror = () => link(false);
    for (const kind of KINDS)
      if (handlers[kind])
        source.addEventListener(kind, (event) => {
          link(true);
          handlers[kind](kind === "oled" ? event.data : JSON.parse(event.data));
        });
  };

  const ask = async () => {
    try {
      const answer = await fetch("/api/me", { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (answer.ok) onMe(await answer.json());
      if (source.readyState === EventSource.CLOSED) open();
    } catch {
      link(false);
      setTimeout(open, AGAIN_AFTER_MS);
    }
  };

  open();
  ask();
  setInterval(ask, ASK_EVERY_MS);
  // A phone that wakes up has missed what was sent, and often does not know that its line is dead.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) ask();
  });
  window.addEventListener("online", open);
  return { ask };
}
