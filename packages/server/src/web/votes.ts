// The votes of a question that several people have to approve: their number, the voters, and what the reading person
// can still do.

import { viaWords } from "./answer-words.ts"
import { type Html, html } from "./html.ts"
import { timeOf } from "./time.ts"

/** The votes so far, and the number of approvals that are needed. */
export interface VotesView {
  readonly needed: number
  /** Whether this person has said Yes. */
  readonly hasApproved: boolean
  readonly votes: readonly {
    readonly name: string
    readonly said: "yes" | "no"
    readonly at: number
    readonly via?: string
    readonly reason?: string
  }[]
}

/** Shows how many people have approved, such as “1 of 2 people has approved.”, and each vote. */
export function votesBox({ needed, votes }: VotesView, now: number): Html {
  const approved = votes.filter(({ said }) => said === "yes").length
  return html`<div class="votes"><p class="meta">${countWords(approved, needed)}</p>
${votes.length > 0 && html`<ul class="history">${votes.map((vote) => row(vote, now))}</ul>`}</div>`
}

const countWords = (approved: number, needed: number): string =>
  `${approved} of ${needed} people ${approved === 1 ? "has" : "have"} approved.`

function row({ name, said, at, via, reason }: VotesView["votes"][number], now: number): Html {
  const notes = [
    ...(via === undefined ? [] : [viaWords(via, undefined)]),
    ...(reason === undefined ? [] : [`“${reason}”`]),
  ]
  return html`<li class="${said === "yes" ? "clear" : "stop"}"><span>${name} ${said === "yes" ? "approved" : "said No"}${notes.length > 0 && html`<span class="note">${notes.join(": ")}</span>`}</span> ${timeOf(at, now)}</li>`
}

export const ownRequestWords = "This was asked on your behalf, so somebody else has to answer it."

/** The text in place of the button, for a person who has already approved. */
export const approvedWords =
  "You have approved this. It continues when enough others have. Until then you can still say No."
