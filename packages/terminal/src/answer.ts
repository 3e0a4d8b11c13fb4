// Asks one question at the terminal: fill in, review, send. Esc offers to decline or cancel, Ctrl-C cancels the
// question, and a question that is settled elsewhere is removed from the screen.

import type { Answer, Elicitation, StepResult } from "@holdpoint/hub"
import { isHoldpointError, isSettled } from "@holdpoint/hub"
import { type Acts, actsOf, withDefaults } from "@holdpoint/hub/forms"
import type { FormElicitation, UrlElicitation } from "@holdpoint/hub/internal"
import { fieldOf, fromLine, labelOf, problemWith, toPrompt, toWords, type Value } from "./map.ts"
import { plainLines, toPlainText } from "./plain.ts"
import { createPrompter, escaped, inputEnded, type Prompter } from "./prompt.ts"
import type { Screen } from "./screen.ts"
import { endedWords, refusedWords, toAddress, toHeading, toSummary } from "./words.ts"

export interface AnswerDesk {
  readonly screen: Screen
  readonly now: () => number
  readonly howToAnswer: (question: Elicitation) => string
  readonly send: (id: string, answer: Pick<Answer, "action" | "content">) => Promise<StepResult>
}

/** Asks the question until it is answered, cancelled or withdrawn. `withdrawn` aborts with the settled elicitation. */
export async function answerAt(desk: AnswerDesk, question: Elicitation, withdrawn: AbortSignal): Promise<void> {
  const { screen } = desk
  const prompter = createPrompter(screen, withdrawn)
  screen.print(toHeading(question, desk.now()))
  try {
    await (question.mode === "form" ? answerForm(desk, prompter, question) : answerUrl(desk, prompter, question))
  } catch (error) {
    if (withdrawn.aborted) return printLine(screen, "bad", withdrawnWords(withdrawn.reason))
    if (error === inputEnded) {
      return printLine(
        screen,
        "bad",
        `The input ended; the question stays open. To answer: ${desk.howToAnswer(question)}`,
      )
    }
    // @inquirer/core's error for Ctrl-C. Compared by name, because several versions of its class may be installed.
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error
    await send(desk, question, { action: "cancel" })
  }
}

type Action = "send" | "change" | "decline" | "cancel" | "back"

const leaveOptions = [
  { title: "Decline (say no)", value: "decline" },
  { title: "Cancel (close the question without an answer)", value: "cancel" },
] as const

/** A form and its values so far. */
interface FormDraft {
  readonly screen: Screen
  readonly prompter: Prompter
  readonly form: FormElicitation["requestedSchema"]
  readonly answers: Map<string, Value | undefined>
}

/**
 * Shows the two answers of a yes-or-no question as a menu. Additional fields, if any, have their defaults and can be
 * changed.
 */
async function answerActs(desk: AnswerDesk, prompter: Prompter, question: FormElicitation, acts: Acts): Promise<void> {
  const { screen } = desk
  const { yes, no, about, answers: contents, rest: form } = acts
  const names = Object.keys(form.properties)
  const draft: FormDraft = { screen, prompter, form, answers: new Map(Object.entries(withDefaults(form))) }
  const options = [
    { title: yes, value: "yes" },
    { title: no, value: "no" },
    ...(names.length > 0 ? [{ title: "Change something", value: "change" } as const] : []),
  ] as const
  if (about !== undefined) screen.print(plainLines(about).map((line) => ["  ", line]))
  screen.print([[{ style: "faint", text: "  Esc or Ctrl-C: cancel." }], []])
  for (;;) {
    if (names.length > 0) screen.print([...toSummary(form, draft.answers), []])
    const chosen = await prompter.decide<"yes" | "no" | "change">("Your answer?", options)
    const leaving = chosen === escaped ? await leave(prompter, [leaveOptions[1]]) : await prepare(draft, chosen)
    if (leaving === "again") continue
    if (leaving !== undefined) return void (await send(desk, question, { action: leaving }))
    const [words, content] = chosen === "no" ? [no, contents.no] : [yes, { ...contents.yes, ...answeredContent(draft) }]
    const answer = content === undefined ? { action: "decline" as const } : { action: "accept" as const, content }
    if ((await send(desk, question, { ...answer, words })) === "over") return
  }
}

/** Asks for the fields that a Yes still requires, or that the person wants to change. The menu is then shown again. */
async function prepare(draft: FormDraft, chosen: "yes" | "no" | "change"): Promise<Leaving | "again"> {
  if (chosen === "change") return (await change(draft)) ?? "again"
  const missing = draft.form.required?.filter((name) => draft.answers.get(name) === undefined) ?? []
  if (chosen === "no" || missing.length === 0) return undefined
  for (const name of missing) {
    const leaving = await fill(draft, name)
    if (leaving !== undefined) return leaving
  }
  return "again"
}

const answeredContent = ({ answers }: FormDraft) =>
  Object.fromEntries([...answers].filter(([, value]) => value !== undefined))

async function answerForm(desk: AnswerDesk, prompter: Prompter, question: FormElicitation): Promise<void> {
  const { screen } = desk
  const form = question.requestedSchema
  const acts = actsOf(form, {}, question.message)
  if (acts !== undefined) return answerActs(desk, prompter, question, acts)
  const names = Object.keys(form.properties)
  const answers = new Map<string, Value | undefined>()
  const draft: FormDraft = { screen, prompter, form, answers }
  screen.print([[{ style: "faint", text: "  Esc: decline or cancel. Ctrl-C: cancel." }], []])
  for (const name of names) {
    const action = await fill(draft, name)
    if (action !== undefined) return void (await send(desk, question, { action }))
  }
  for (;;) {
    if (names.length > 1) screen.print([...toSummary(form, answers), []])
    const action = await review(prompter)
    if (action === "decline" || action === "cancel") return void (await send(desk, question, { action }))
    if (action === "change") {
      const leaving = await change(draft)
      if (leaving !== undefined) return void (await send(desk, question, { action: leaving }))
    }
    if (action !== "send") continue
    if ((await send(desk, question, { action: "accept", content: answeredContent(draft) })) === "over") return
  }
}

async function review(prompter: Prompter): Promise<Action> {
  const chosen = await prompter.menu<Action>("Send this?", [
    { title: "Send", value: "send" },
    { title: "Change something", value: "change" },
    ...leaveOptions,
  ])
  return chosen === escaped ? "back" : chosen
}

type Leaving = "decline" | "cancel" | undefined

async function change(draft: FormDraft): Promise<Leaving> {
  const { prompter, form, answers } = draft
  const names = Object.keys(form.properties)
  const options = names.map((name) => ({
    title: `${labelOf(form, name)}: ${toWords(fieldOf(form, name), answers.get(name))}`,
    value: name,
  }))
  const name = names.length === 1 ? names[0]! : await prompter.menu("Change what?", options)
  return name === escaped ? undefined : fill(draft, name)
}

/** Asks for one field until its value is valid or the person leaves. */
async function fill({ screen, prompter, form, answers }: FormDraft, name: string): Promise<Leaving> {
  const field = fieldOf(form, name)
  const current = answers.has(name) ? answers.get(name) : field.default
  const isLeftOut = (value: Value | undefined): boolean =>
    Array.isArray(value) && value.length === 0 && !form.required?.includes(name)
  const withoutLeftOut = (value: Value | undefined): Value | undefined => (isLeftOut(value) ? undefined : value)
  for (;;) {
    const value = await prompter.field(toPrompt(form, name, current), {
      read: (line) => fromLine(field, current, line),
      problemWith: (value) => problemWith(form, name, withoutLeftOut(value)),
    })
    if (value !== escaped) {
      answers.set(name, withoutLeftOut(value))
      const words = toWords(field, answers.get(name))
      screen.print([[{ style: "good", text: "✔ " }, labelOf(form, name), "  ", { style: "accent", text: words }]])
      return undefined
    }
    const leaving = await leave(prompter, leaveOptions)
    if (leaving !== "again") return leaving
  }
}

/** Asks after Esc whether to decline, cancel or go on. */
async function leave(
  prompter: Prompter,
  options: readonly (typeof leaveOptions)[number][],
): Promise<Leaving | "again"> {
  const leaving = await prompter.menu("Leave this question?", [{ title: "Go on", value: "again" as const }, ...options])
  return leaving === escaped ? "again" : leaving
}

async function answerUrl(desk: AnswerDesk, prompter: Prompter, question: UrlElicitation): Promise<void> {
  const { screen } = desk
  screen.print([[], ...toAddress(question.url), []])
  const options = [{ title: "Yes, I will open it", value: "accept" }, ...leaveOptions] as const
  for (;;) {
    const action = await prompter.decide<"accept" | "decline" | "cancel">("Open it?", options)
    if (action === escaped) continue
    if ((await send(desk, question, { action })) === "open") continue
    return
  }
}

interface ChosenAnswer extends Pick<Answer, "action" | "content"> {
  /** The label of the chosen answer. */
  readonly words?: string
}

/** Sends the answer. `over`: the terminal stops asking this question. `open`: the person should try again. */
async function send(desk: AnswerDesk, question: Elicitation, chosen: ChosenAnswer): Promise<"over" | "open"> {
  const { screen } = desk
  const { words, ...answer } = chosen
  try {
    const result = await desk.send(question.id, answer)
    if (result.ok) {
      printLine(
        screen,
        "good",
        `✔ ${words === undefined ? sentWords(question, answer.action) : `Sent: ${toPlainText(words)}.`}`,
      )
      return "over"
    }
    for (const words of refusedWords(result.refusal)) printLine(screen, "bad", words)
    return result.refusal.code === "invalid_answer" ? "open" : "over"
  } catch (error) {
    const mayRetry = isHoldpointError(error) && error.code === "store_unavailable" && answer.action === "accept"
    const advice = mayRetry ? "Try again." : "The question stays open."
    printLine(
      screen,
      "bad",
      `This could not be sent: ${error instanceof Error ? error.message : String(error)} ${advice}`,
    )
    return mayRetry ? "open" : "over"
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
    : "The program has stopped asking; the question stays open."
}

function printLine(screen: Screen, style: "good" | "bad", text: string): void {
  screen.print([[{ style, text }]])
}
