// The area of the page that shows one call: its status, the server's prompts, and the result.

import { button, elementById, focusOn, h } from "./dom.ts"

export interface Stage {
  begin(title: string, call: CallControls): void
  /** Shows the status of the call. */
  setStatus(text: string): void
  show(card: HTMLElement): void
  /** Replaces everything with the result. */
  end(title: string, kind: Kind, ...content: readonly HTMLElement[]): void
}

/** The actions of the buttons while the call is in progress. */
export interface CallControls {
  retry(): void
  giveUp(): void
}

export type Kind = "good" | "bad" | "calm"

export function createStage(): Stage {
  const stage = elementById("stage")
  const status = elementById("status")
  const cards = h("div", { class: "cards" })
  return {
    begin(title, { retry, giveUp }) {
      cards.replaceChildren()
      const buttons = [button("Try again", () => retry()), button("Cancel", () => giveUp())]
      const head = h("div", { class: "call-head" }, h("h3", {}, title), ...buttons)
      stage.replaceChildren(head, h("p", { class: "waiting" }, h("span", { class: "dots" }), status), cards)
      stage.hidden = false
      status.textContent = "Calling …"
      mark("calm")
      stage.scrollIntoView({ block: "nearest" })
    },
    setStatus(text) {
      status.textContent = text
    },
    show(card) {
      cards.append(card)
      mark("hold")
      focusOn(card)
    },
    end(title, kind, ...content) {
      status.textContent = ""
      mark(kind === "good" ? "clear" : kind === "bad" ? "stop" : "calm")
      const heading = h("h3", {}, title)
      stage.replaceChildren(h("div", { class: `outcome ${kind}` }, heading, ...content), status)
      focusOn(heading)
    },
  }
}

/** Sets the colour of the line at the top of the page, as on the pages of the library. */
function mark(state: "hold" | "clear" | "stop" | "calm"): void {
  document.body.classList.remove("hold", "clear", "stop", "calm")
  document.body.classList.add(state)
}
