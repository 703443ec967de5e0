// What a game looks like on the page: everything a drawing needs, made of the facts of its box.
//
// No game is known here by its name. A kind says its shape, how large it is beside the others, and
// its shade for each player; a player is told from the others by the mark of their seat.

/** One cell of a drawing; nothing in it is larger than `FULL` or too small to be told apart. */
export const CELL = 60;
const FULL = 46;
const LEAST = { gabled: 24, column: 30, block: 24, pyramid: 20, slab: 24 };
const PALE = "#b9b3a6";

/** `game` has {files, ranks, cell_mm, kinds}; `players` are in turn order. */
export function lookOf({ files, ranks, kinds, cell_mm: cell }, players) {
  const factsOf = (kind) => kinds.find((facts) => facts.kind === kind);
  const sizeOf = (kind) => {
    const { shape, base_mm: base } = factsOf(kind) ?? {};
    const trueSize = ((base?.[0] ?? 0) / cell) * CELL;
    return Math.min(FULL, Math.max(LEAST[shape] ?? LEAST.block, trueSize));
  };
  return {
    files,
    ranks,
    kinds,
    colours: players.map(({ colour }) => colour),
    shapeOf: (kind) => factsOf(kind)?.shape ?? "block",
    sizeOf,
    /** As large as the largest of its shape: what differs only in size is seen to do so. */
    roomOf(kind) {
      const alike = kinds.filter(({ shape }) => shape === factsOf(kind)?.shape);
      return Math.max(sizeOf(kind), ...alike.map((facts) => sizeOf(facts.kind)));
    },
    shadeOf({ kind, colour }) {
      const shade = factsOf(kind)?.shade ?? {};
      return shade[colour ?? kind] ?? PALE;
    },
    isAnchored: (kind) => Boolean(factsOf(kind)?.anchored),
    /** What stands for a player: the first piece in the box that comes in this colour. */
    emblemOf: (colour) => ({
      kind: kinds.find(({ colours }) => colours.includes(colour))?.kind,
      colour,
    }),
    /** By the game's own words, which came with the state. */
    nameOf: ({ kind, colour }) => factsOf(kind)?.words[colour ?? ""] ?? kind,
  };
}

/** What of a game a drawing depends on: nothing else makes it paint anew. */
export const boxOf = ({ files, ranks, kinds, cell_mm }) => ({ files, ranks, kinds, cell_mm });

/** Every piece there is, kind by kind: [{kind, colour, anchored}]. */
export const piecesOf = (kinds) =>
  kinds.flatMap(({ kind, anchored, colours }) =>
    (colours.length ? colours : [null]).map((colour) => ({ kind, colour, anchored })),
  );

/** Points with a real minus. */
export const pointsOf = (points) => String(points).replace("-", "−");

export const signed = (points) => (points > 0 ? `+${points}` : pointsOf(points));
