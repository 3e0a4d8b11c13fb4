// People's answers in Slack: presses of buttons and submitted modals. Slack identifies the account, and the stored link
// identifies the person. The hub validates everything else.

import type { Answer, Elicitation, Hub, Refusal } from "@holdpoint/hub"
import { canAnswer, isSettled, type Principal } from "@holdpoint/hub"
import { enteredValue } from "./inputs.ts"
import type { Linking } from "./linking.ts"
import type { SlackLinks } from "./links.ts"
import { actions, endingOf, pressesOf } from "./map.ts"
import { blockOf, callbacks, declineModal, fillableOf, modalOf, noticeModal, reasonBlock } from "./modal.ts"
import { cut, escaped } from "./text.ts"
import type { Json, Modal, SlackInteraction, SlackPress, SlackSubmission } from "./wire.ts"
import { words } from "./words.ts"
import { slackErrorOf, type Workspaces } from "./workspaces.ts"

export interface InteractNeeds {
  readonly hub: Pick<Hub, "answer" | "get">
  readonly links: SlackLinks
  readonly linking: Linking
  readonly workspaces: Workspaces
  /** Sends a text to one person, in the conversation where they pressed a button. */
  readonly sendText: (press: SlackPress, text: string) => Promise<void>
}

type AnswerParts = Pick<Answer, "action" | "content" | "reason">

export function createInteract(needs: InteractNeeds): (interaction: SlackInteraction) => Promise<Json | undefined> {
  const { hub, links, linking, workspaces, sendText } = needs

  /**
   * Finds the question, open or ended, and the person who pressed. Returns a text for the person if they may not
   * answer.
   */
  async function find(id: string, by: SlackInteraction): Promise<AnswerTarget | string> {
    const person = await links.personOf(by)
    if (person === undefined) return words.unlinked
    const question = await hub.get(id)
    if (question === undefined) return words.gone
    if (!canAnswer(question, person)) return words.notYours
    return { question, person }
  }

  async function handlePress(press: SlackPress): Promise<void> {
    const { action, value } = press
    if (action === actions.open || !ownActions.has(action)) return
    if (action === actions.link) return linking.begin(press)
    if (action === actions.code) return linking.askForCode(press)
    if (action === actions.unlink) return linking.unlink(press)
    const target = await find(value, press)
    if (typeof target === "string") {
      await sendText(press, target)
      return target === words.unlinked ? linking.begin(press) : undefined
    }
    if (isSettled(target.question.status)) {
      const isNo = action === actions.no || action === actions.decline
      return void (await sendText(press, await answerLate(target, isNo ? toNo(target.question, "") : undefined)))
    }
    if (action === actions.answer) return open(press, modalOf(target.question))
    if (action === actions.decline) return open(press, declineModal(target.question))
    if (action !== actions.yes && action !== actions.no) return
    const answer = action === actions.yes ? toYes(target.question) : toNo(target.question, "")
    if (answer === undefined) return open(press, modalOf(target.question))
    const problem = await sendAnswer(target, answer)
    if (problem !== undefined) await sendText(press, problem.words)
  }

  /** Sends the answer to the hub. Returns a text for the person, or undefined when the answer ended the question. */
  async function sendAnswer({ question, person }: AnswerTarget, answer: AnswerParts): Promise<Problem | undefined> {
    const result = await hub.answer(question.id, { by: person, via: "slack", ...answer })
    if (result.ok) return isSettled(result.elicitation.status) ? undefined : { words: words.counted }
    const { refusal } = result
    const currentQuestion =
      refusal.code === "already_settled" || refusal.code === "expired" ? await hub.get(question.id) : undefined
    const endText = currentQuestion === undefined ? undefined : lateWords(currentQuestion, refusal)
    return { words: endText ?? escaped(refusal.message), refusal }
  }

  /**
   * Returns the text for a person who answers after the question has ended. A No is still sent to the hub, because it
   * stops an action that has not begun.
   */
  async function answerLate(target: AnswerTarget, declineAnswer: AnswerParts | undefined): Promise<string> {
    const problem = declineAnswer === undefined ? undefined : await sendAnswer(target, declineAnswer)
    return problem?.words ?? endingOf(target.question)
  }

  async function open({ team, trigger, ...press }: SlackPress, view: Modal | undefined): Promise<void> {
    const workspace = await workspaces.find(team)
    try {
      if (view !== undefined) await workspace?.call("views.open", { trigger_id: trigger, view })
    } catch (error) {
      if (slackErrorOf(error) === undefined) throw error
      await sendText({ team, trigger, ...press }, words.missed)
    }
  }

  async function submit(submission: SlackSubmission): Promise<Json | undefined> {
    if (submission.callback === callbacks.code) return linking.enterCode(submission)
    // Only our own modals are answers: any other callback would count as a Yes.
    if (submission.callback !== callbacks.answer && submission.callback !== callbacks.decline) return undefined
    const target = await find(submission.metadata, submission)
    if (typeof target === "string") return notice(target)
    const reason = submission.callback === callbacks.decline ? reasonIn(submission) : undefined
    const declineAnswer = reason === undefined ? undefined : toNo(target.question, reason)
    if (isSettled(target.question.status)) return notice(await answerLate(target, declineAnswer))
    const answer = declineAnswer ?? toFilled(target.question, submission)
    const problem = await sendAnswer(target, answer)
    if (problem === undefined) return undefined
    return toErrors(target.question, submission, problem.refusal) ?? notice(problem.words)
  }

  return async (interaction) =>
    interaction.type === "submission" ? submit(interaction) : void (await handlePress(interaction))
}

const ownActions: ReadonlySet<string> = new Set(Object.values(actions))

interface AnswerTarget {
  readonly question: Elicitation
  readonly person: Principal
}

interface Problem {
  readonly words: string
  readonly refusal?: Refusal
}

/** The response that replaces the modal with a plain text. */
function notice(text: string): Json {
  const unescaped = text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&")
  return { response_action: "update", view: noticeModal(words.modalTitle, unescaped) }
}

function lateWords(question: Elicitation, { effect, message }: Refusal): string {
  return effect === undefined ? endingOf(question) : escaped(message)
}

/** The answer Yes, if the form has no other fields. Undefined when the person has to fill in fields. */
function toYes(question: Elicitation): AnswerParts | undefined {
  const acts = pressesOf(question)
  return acts && { action: "accept", content: acts.answers.yes }
}

/** The answer No. With a reason, it is a decline, because no other answer can have a reason. */
function toNo(question: Elicitation, message: string): AnswerParts {
  const noContent = question.mode === "form" ? fillableOf(question).acts?.answers.no : undefined
  if (message !== "") return { action: "decline", reason: { code: "person_declined", message } }
  return noContent === undefined ? { action: "decline" } : { action: "accept", content: noContent }
}

function toFilled(question: Elicitation, { values }: SlackSubmission): AnswerParts {
  if (question.mode !== "form") return { action: "accept" }
  const { form, acts } = fillableOf(question)
  const entries = Object.entries(form.properties).flatMap(([name, field], index) => {
    const value = enteredValue(field, values[blockOf(index)])
    const isLeftOut = Array.isArray(value) && value.length === 0 && form.required?.includes(name) !== true
    return value === undefined || isLeftOut ? [] : [[name, value] as const]
  })
  return { action: "accept", content: { ...acts?.answers.yes, ...Object.fromEntries(entries) } }
}

function reasonIn({ values }: SlackSubmission): string {
  const state = values[reasonBlock]?.value as { readonly value?: unknown } | undefined
  return typeof state?.value === "string" ? state.value.trim() : ""
}

/** The response that shows the problems beside their fields. Undefined when one of them belongs to no field. */
function toErrors(question: Elicitation, { callback }: SlackSubmission, refusal?: Refusal): Json | undefined {
  const { code, problems = [] } = refusal ?? {}
  if (code !== "invalid_answer" || problems.length === 0) return undefined
  if (callback === callbacks.decline) {
    const lines = problems.map(({ message }) => `The reason ${message}.`)
    return { response_action: "errors", errors: { [reasonBlock]: cut(lines.join(" "), 500) } }
  }
  const names = question.mode === "form" ? Object.keys(fillableOf(question).form.properties) : []
  const errors: Record<string, string> = {}
  for (const { path, message } of problems) {
    if (!names.includes(path)) return undefined
    const block = blockOf(names.indexOf(path))
    errors[block] = cut(errors[block] === undefined ? message : `${errors[block]} ${message}`, 500)
  }
  return { response_action: "errors", errors }
}
