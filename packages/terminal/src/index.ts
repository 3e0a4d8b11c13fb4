// The public entry `@holdpoint/terminal`: asks questions where the program runs, one at a time. Ctrl-C in a prompt
// cancels the question, not the program. Without an interactive terminal it only prints the question and how to answer
// it.

import type { Elicitation, Hub, Outlet, Principal } from "@holdpoint/hub"
import { canAnswer } from "@holdpoint/hub"
import type { AnswerDesk } from "./answer.ts"
import { createScreen } from "./screen.ts"

export { plainJson, plainLines, toPlainText as plain } from "./plain.ts"

/** The options of the terminal outlet. */
export interface TerminalOptions {
  /** The person at this terminal. The program vouches for their identity. */
  readonly as: Principal
  readonly hub: Pick<Hub, "answer">
  readonly input?: NodeJS.ReadableStream
  readonly output?: NodeJS.WritableStream
  /** Returns how to answer in another place. Printed when the terminal has no input. */
  readonly howToAnswer?: (question: Elicitation) => string
  readonly now?: () => number
}

const name = "terminal"

/** Asks questions in the terminal in which the program runs, one at a time. */
export function createTerminalOutlet(options: TerminalOptions): Outlet {
  const { as, hub } = options
  const now = options.now ?? Date.now
  const howToAnswer = options.howToAnswer ?? (({ id }) => `npx holdpoint answer ${id}`)
  const screen = createScreen(options.input ?? process.stdin, options.output ?? process.stdout)
  const desk: AnswerDesk = {
    screen,
    now,
    howToAnswer,
    send: (id, answer) => hub.answer(id, { ...answer, by: as, via: name, hasSeenDetail: true }),
  }
  const queue: Elicitation[] = []
  let onScreen: { readonly id: string; readonly withdrawn: AbortController } | undefined

  const reportUnasked = (error: unknown): void => {
    const words = error instanceof Error ? error.message : String(error)
    screen.print([[`This terminal cannot ask: ${words}. The question stays open.`]])
  }
  const work = async (): Promise<void> => {
    if (onScreen !== undefined) return
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      onScreen = { id: next.id, withdrawn: new AbortController() }
      await answerHere(desk, next, onScreen.withdrawn.signal).catch(reportUnasked)
    }
    onScreen = undefined
  }

  return {
    name,
    async deliver(question) {
      if (!canAnswer(question, as)) return { state: "unable", why: `it is not for ${as.subject}` }
      if (!screen.isInteractive()) {
        const { toListing } = await import("./words.ts")
        screen.print(toListing(question, now(), howToAnswer(question)))
        return { state: "listed" }
      }
      queue.push(question)
      work().catch(reportUnasked)
      return { state: "shown" }
    },
    async withdraw(settled) {
      const at = queue.findIndex(({ id }) => id === settled.id)
      if (at !== -1) queue.splice(at, 1)
      // While an answer is being sent, no prompt handles the abort. The hub's reply then says how the question ended.
      if (onScreen?.id === settled.id) onScreen.withdrawn.abort(settled)
    },
  }
}

/** Loads the prompts with the first question, because most programs only print. */
async function answerHere(...args: Parameters<typeof import("./answer.ts").answerAt>): Promise<void> {
  const { answerAt } = await import("./answer.ts")
  await answerAt(...args)
}
