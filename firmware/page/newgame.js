// The sheet for a new game: which one, and with which settings.
//
// What was chosen stays on the sheet until it is closed, whatever the device says meanwhile. A game
// that is going on is not given up without a question; what does not go together is told on the
// sheet, and nothing has changed.

import { tell } from "./act.js";
import { find, make, refill } from "./elements.js";
import { isComplete, makePick, oneOf } from "./pick.js";
import { word } from "./words.js";

/** Wires the button with this id; `stateNow()` gives the device's last state. */
export function makeNewGame(stateNow) {
  const sheet = find("new-game-sheet");
  let wanted = null;

  find("new-game").addEventListener("click", () => {
    const { games, game } = stateNow();
    wanted = { game: game.game, settings: {} };
    for (const { game: name, settings } of games)
      wanted.settings[name] = Object.fromEntries(settings.map((one) => [one.name, one.next]));
    paint();
    sheet.showModal();
  });

  function paint(refusal = "") {
    const { games } = stateNow();
    const { settings } = games.find(({ game }) => game === wanted.game);
    const values = wanted.settings[wanted.game];
    const choices = games.map(({ game, title }) => ({ value: game, words: title }));
    const start = make(
      "button",
      { type: "button", class: "strong", "data-key": "start", onclick: () => ask() },
      word("new-game.start"),
    );
    const check = () => {
      start.ariaDisabled = String(!settings.every((one) => isComplete(one, values[one.name])));
    };
    check();
    refill(
      sheet,
      make("h2", { id: "new-game-title" }, word("new-game.name")),
      games.length > 1
        ? oneOf({ name: "game", label: word("new-game.game"), choices }, wanted.game, (name) => {
            wanted.game = name;
            paint();
          })
        : null,
      ...settings.map((one) =>
        makePick(one, values[one.name], (value) => {
          values[one.name] = value;
          note.textContent = "";
          check();
        }),
      ),
      note,
      make("div", { class: "row" }, start, leave("new-game.leave")),
    );
    note.textContent = refusal;

    function ask() {
      if (start.ariaDisabled === "true") return;
      const { ply, outcome } = stateNow();
      if (ply && !outcome) question();
      else send();
    }
  }

  const note = make("p", { class: "trouble", role: "alert" });

  const leave = (key) =>
    make("button", { type: "button", "data-key": "leave", onclick: () => sheet.close() }, word(key));

  /** A game is going on. */
  function question() {
    const { game, ply } = stateNow();
    refill(
      sheet,
      make("h2", { id: "new-game-title" }, word("new-game.sure", { title: game.title, ply })),
      make("p", { class: "soft" }, word("new-game.text")),
      make(
        "div",
        { class: "row" },
        make(
          "button",
          { type: "button", class: "strong", "data-key": "sure", onclick: send },
          word("new-game.yes"),
        ),
        leave("new-game.no"),
      ),
    );
    sheet.querySelector("[data-key=leave]").focus();
  }

  async function send() {
    const { game } = wanted;
    const what = { game, settings: wanted.settings[game] };
    await tell("new-game", what, (sentence) =>
      sentence === null ? sheet.close() : paint(sentence),
    );
  }
}
