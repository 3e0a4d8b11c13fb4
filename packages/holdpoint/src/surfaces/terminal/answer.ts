// Asks one question at the terminal: fill in, review, send. Esc offers to decline or cancel, Ctrl-C cancels the
// question, and a question that is settled elsewhere is taken off the screen.

import type { Elicitation, FormElicitation, UrlElicitation } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { Answer } from "../../hub/answer.ts"
import type { StepResult } from "../../hub/steps.ts"
import { fieldOf, fromLine, labelOf, problemWith, toPrompt, toWords, type Value } from "./map.ts"
import { createPrompter, escaped, inputEnded, type Prompter } from "./prompt.ts"
import type { Screen } from "./screen.ts"
import { endedWords, refusedWords, toAddress, toHeading, toSummary } from "./words.ts"

export interface Desk {
  readonly screen: Screen
  readonly now: () => number
  readonly howToAnswer: (question: Elicitation) => string
  readonly send: (id: string, answer: Pick<Answer, "action" | "content">) => Promise<StepResult>
}

/** Asks the question until it is over. `withdrawn` aborts with the settled elicitation. */
export async function answerAt(desk: Desk, question: Elicitation, withdrawn: AbortSignal): Promise<void> {
  const { screen } = desk
  const prompter = createPrompter(screen, withdrawn)
  screen.print(toHeading(question, desk.now()))
  try {
    await (question.mode === "form" ? answerForm(desk, prompter, question) : answerUrl(desk, prompter, question))
  } catch (error) {
    if (withdrawn.aborted) return say(screen, "bad", withdrawnWords(withdrawn.reason))
    if (error === inputEnded) {
      return say(screen, "bad", `The input ended; the question stays open. To answer: ${desk.howToAnswer(question)}`)
    }
    // @inquirer/core's error for Ctrl-C. Compared by name, because several versions of its class may be installed.
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error
    await send(desk, question, { action: "cancel" })
  }
}

type Action = "send" | "change" | "decline" | "cancel" | "back"

const waysOut = [
  { title: "Decline (say no)", value: "decline" },
  { title: "Cancel (close it without an answer)", value: "cancel" },
] as const

/** A form and its values so far. */
interface Sheet {
  readonly screen: Screen
  readonly prompter: Prompter
  readonly form: FormElicitation["requestedSchema"]
  readonly answers: Map<string, Value | undefined>
}

async function answerForm(desk: Desk, prompter: Prompter, question: FormElicitation): Promise<void> {
  const { screen } = desk
  const form = question.requestedSchema
  const names = Object.keys(form.properties)
  const answers = new Map<string, Value | undefined>()
  const sheet: Sheet = { screen, prompter, form, answers }
  screen.print([[{ style: "faint", text: "  Esc: decline or cancel. Ctrl-C: cancel." }], []])
  for (const name of names) {
    const action = await fill(sheet, name)
    if (action !== undefined) return void (await send(desk, question, { action }))
  }
  for (;;) {
    if (names.length > 1) screen.print([...toSummary(question, answers), []])
    const action = await review(prompter, names.length > 0)
    if (action === "decline" || action === "cancel") return void (await send(desk, question, { action }))
    if (action === "change") {
      const leaving = await change(sheet)
      if (leaving !== undefined) return void (await send(desk, question, { action: leaving }))
    }
    if (action !== "send") continue
    const given = [...answers].filter(([, value]) => value !== undefined)
    if ((await send(desk, question, { action: "accept", content: Object.fromEntries(given) })) === "over") return
  }
}

async function review(prompter: Prompter, hasFields: boolean): Promise<Action> {
  const chosen = hasFields
    ? await prompter.menu<Action>("Send this?", [
        { title: "Send", value: "send" },
        { title: "Change something", value: "change" },
        ...waysOut,
      ])
    : await prompter.menu<Action>("Your answer?", [{ title: "Yes", value: "send" }, ...noWays])
  return chosen === escaped ? "back" : chosen
}

/** The choices after Esc when a question has no fields, where No is an answer. */
const noWays = [{ title: "No", value: "decline" }, waysOut[1]] as const

type Leaving = "decline" | "cancel" | undefined

async function change(sheet: Sheet): Promise<Leaving> {
  const { prompter, form, answers } = sheet
  const names = Object.keys(form.properties)
  const options = names.map((name) => ({
    title: `${labelOf(form, name)}: ${toWords(fieldOf(form, name), answers.get(name))}`,
    value: name,
  }))
  const name = names.length === 1 ? names[0]! : await prompter.menu("Change what?", options)
  return name === escaped ? undefined : fill(sheet, name)
}

/** Asks for one field until its value is valid or the person leaves. */
async function fill({ screen, prompter, form, answers }: Sheet, name: string): Promise<Leaving> {
  const field = fieldOf(form, name)
  const current = answers.has(name) ? answers.get(name) : field.default
  const isLeftOut = (value: Value | undefined): boolean =>
    Array.isArray(value) && value.length === 0 && !form.required?.includes(name)
  const meant = (value: Value | undefined): Value | undefined => (isLeftOut(value) ? undefined : value)
  for (;;) {
    const value = await prompter.field(toPrompt(form, name, current), {
      read: (line) => fromLine(field, current, line),
      problemWith: (given) => problemWith(form, name, meant(given)),
    })
    if (value !== escaped) {
      answers.set(name, meant(value))
      const words = toWords(field, answers.get(name))
      screen.print([[{ style: "good", text: "✔ " }, labelOf(form, name), "  ", { style: "accent", text: words }]])
      return undefined
    }
    const leaving = await prompter.menu("Leave this question?", [{ title: "Go on", value: undefined }, ...waysOut])
    if (leaving !== escaped && leaving !== undefined) return leaving
  }
}

async function answerUrl(desk: Desk, prompter: Prompter, question: UrlElicitation): Promise<void> {
  const { screen } = desk
  screen.print([[], ...toAddress(question.url), []])
  const options = [{ title: "Yes, I will open it", value: "accept" }, ...waysOut] as const
  for (;;) {
    const action = await prompter.menu<"accept" | "decline" | "cancel">("Open it?", options)
    if (action === escaped) continue
    if ((await send(desk, question, { action })) === "open") continue
    return
  }
}

/** Sends the answer. `over`: the question has ended. `open`: the person should try again. */
async function send(
  desk: Desk,
  question: Elicitation,
  answer: Pick<Answer, "action" | "content">,
): Promise<"over" | "open"> {
  const { screen } = desk
  try {
    const result = await desk.send(question.id, answer)
    if (result.ok) {
      say(screen, "good", `✔ ${sentWords(question, answer.action)}`)
      return "over"
    }
    for (const words of refusedWords(result.refusal)) say(screen, "bad", words)
    return result.refusal.code === "invalid_answer" ? "open" : "over"
  } catch (error) {
    const isWorthAnother = isHoldpointError(error) && error.code === "store_unavailable" && answer.action === "accept"
    const stays = isWorthAnother ? "Try again." : "The question stays open."
    say(screen, "bad", `This could not be sent: ${error instanceof Error ? error.message : String(error)} ${stays}`)
    return isWorthAnother ? "open" : "over"
  }
}

function sentWords(question: Elicitation, action: Answer["action"]): string {
  if (action === "decline") return "Declined."
  if (action === "cancel") return "Cancelled."
  return question.mode === "form" ? "Sent." : `Open this address in your browser: ${question.url}`
}

function withdrawnWords({ status, answeredBy: by, answeredVia: via, reason }: Elicitation): string {
  return isSettled(status)
    ? endedWords({ status, by, via, reason })
    : "The program stops asking; the question stays open."
}

function say(screen: Screen, style: "good" | "bad", text: string): void {
  screen.print([[{ style, text }]])
}
