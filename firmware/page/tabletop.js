// The simulated table from above: what really stands there, and a hand that changes it.
//
// Nothing here knows what the referee believes. A click puts down the piece in the hand, in the
// anchor nearest to the pointer; a click on a piece takes hold of it, the next one says where it
// goes; a piece dragged off the board is taken. On the keyboard the arrows walk over the cells,
// with Shift they walk over the anchors of one.

import { touch } from "./act.js";
import { STEPS, makeBoard } from "./board.js";
import { find, show } from "./elements.js";
import { ANCHORS, anchorAt, wayOf } from "./shapes.js";
import { word } from "./words.js";

const DRAG_PX = 6;

/** `supply` is the hand's; `lookNow()` is how the game looks, `taskNow()` what is to be done. */
export function makeTabletop(svg, supply, lookNow, taskNow) {
  let pieces = [];
  let held = null;
  let hover = null;
  let drag = null;
  let anchor = "n";
  let lit = [];

  const board = makeBoard(svg, (cell, event) => {
    if (drag?.far) return;
    use(cell, event.type === "click" ? anchorUnder(event) : anchor);
  });
  const standing = (cell) => pieces.findLast((piece) => piece.cell === cell);

  /** The hand does what it can on this cell: let go, move there, take hold, put down. */
  function use(cell, where) {
    const there = standing(cell);
    if (held && (!there || cell === held.cell)) {
      if (cell !== held.cell || (held.anchor && where !== held.anchor)) moveTo(cell, where);
      hold(null);
    } else if (there) hold(there);
    else {
      const { kind, colour, anchored } = supply.inHand();
      touch("put", { cell, piece: { kind, colour, anchor: anchored ? where : null } });
      supply.used();
    }
  }

  const moveTo = (cell, where) =>
    touch("move", {
      from: held.cell,
      to: cell,
      anchor: lookNow().isAnchored(held.kind) ? where : null,
    });

  function take() {
    if (held) touch("take", { cell: held.cell });
    hold(null);
  }

  function hold(piece) {
    held = piece;
    hover = null;
    paint();
  }

  function cellUnder({ clientX, clientY }) {
    return document.elementFromPoint(clientX, clientY)?.closest?.("[data-cell]") ?? null;
  }

  function anchorUnder(event) {
    const square = cellUnder(event)?.querySelector(".square").getBoundingClientRect();
    if (!square) return null;
    const { x, y, width, height } = square;
    return anchorAt((event.clientX - x) / width, (event.clientY - y) / height);
  }

  function point(event) {
    const cell = cellUnder(event)?.dataset.cell;
    hoverOver(cell, cell ? anchorUnder(event) : null);
  }

  const isAnchored = ({ kind }) => lookNow().isAnchored(kind);

  /** Shows what a click would leave there. */
  function hoverOver(cell, where) {
    const piece = held ?? supply.inHand();
    const free = cell && piece && (!standing(cell) || cell === held?.cell);
    hover = free ? { ...piece, cell, anchor: isAnchored(piece) ? where : null } : null;
    paint();
  }

  svg.addEventListener("pointermove", (event) => {
    if (drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_PX && !drag.far) {
      drag.far = true;
      hold(drag.piece);
      svg.setPointerCapture(event.pointerId);
    }
    point(event);
  });
  svg.addEventListener("pointerdown", (event) => {
    const piece = standing(cellUnder(event)?.dataset.cell);
    drag = piece ? { piece, x: event.clientX, y: event.clientY, far: false } : null;
  });
  svg.addEventListener("pointerup", (event) => {
    if (!drag?.far) {
      drag = null; // a click, and no more: moving on must not drag what was clicked
      return;
    }
    const cell = cellUnder(event)?.dataset.cell;
    if (!cell) take();
    else use(cell, anchorUnder(event));
    // The click that follows belongs to the drag.
    setTimeout(() => (drag = null));
  });
  svg.addEventListener("pointercancel", () => {
    drag = null;
    hold(null);
  });
  svg.addEventListener("pointerleave", () => hoverOver(null));
  svg.addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible")) hoverOver(target.dataset.cell, anchor);
  });
  svg.addEventListener("keydown", (event) => {
    const cell = event.target.dataset.cell;
    const step = event.shiftKey && STEPS[event.key];
    if (step) {
      const [x, y] = wayOf(anchor).map((way, axis) => Math.min(1, Math.max(-1, way + step[axis])));
      anchor = ANCHORS[(y + 1) * 3 + x + 1] || null;
      hoverOver(cell, anchor);
    } else if (event.key === "Delete") {
      held = standing(cell) ?? held;
      take();
    } else if (event.key === "Escape" && held) hold(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  find("take").addEventListener("click", take);
  find("let-go").addEventListener("click", () => hold(null));

  function paint() {
    const look = lookNow();
    if (!look) return;
    board.paint({ look, pieces, task: taskNow(), lit: held ? [held.cell] : lit, hover });
    show(find("hold-tools"), held !== null);
    find("hand-note").textContent = note(look);
  }

  function note({ nameOf, kinds }) {
    const where = ({ cell, kind, anchor: at }) =>
      isAnchored({ kind }) ? `${cell} ${word(at ? `anchor.${at}` : "anchor.none")}` : cell;
    if (held) return word("hand.holds", { piece: nameOf(held), where: where(held) });
    if (hover) return `${nameOf(hover)} → ${where(hover)}`;
    return word(kinds.some(({ anchored }) => anchored) ? "hand.free" : "hand.plain");
  }

  return {
    paint,
    light(cells) {
      lit = cells;
      paint();
    },
    show(now) {
      pieces = now;
      if (held && !standing(held.cell)) held = null;
      if (hover && standing(hover.cell) && hover.cell !== held?.cell) hover = null;
      paint();
    },
  };
}
