// `holdpoint answer`: accepts with content, declines or cancels; from arguments, from standard input, or at the
// terminal.

import { text as readAll } from "node:stream/consumers"
import type { Answer, Elicitation, Reason, Refusal } from "@holdpoint/hub"
import { canAnswer, isSamePerson, isSettled } from "@holdpoint/hub"
import { actsOf } from "@holdpoint/hub/forms"
import { countApprovals } from "@holdpoint/hub/outlets"
import { createTerminalOutlet } from "@holdpoint/terminal"
import type { Call, Command, ExitCode } from "../command.ts"
import type { Settings } from "../config.ts"
import { audienceOf, endingOf, endingText, fieldsOf, nameOf } from "../describe.ts"
import { toContent } from "../field-values.ts"
import { findQuestion } from "../find.ts"
import { howToAnswer, toCommand } from "../instructions.ts"
import { isInteractive } from "../io.ts"
import { readReason } from "../reason.ts"
import { printResult } from "../result.ts"
import type { Session } from "../session.ts"
import { withHub } from "../session.ts"
import { wrongUse } from "../wrong-use.ts"

const answerFlags = ["content", "accept", "decline", "cancel"] as const

export const answer: Command = {
  name: "answer",
  summary: "Answer a question.",
  usage: "ID [field=value …] [flags]",
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  usesDatabase: true,
  flags: {
    content: { value: "JSON|-", help: "the whole answer as JSON; - reads it from standard input" },
    accept: { help: "say yes: to opening a link, or to a yes-or-no question" },
    decline: { help: "say no" },
    cancel: { help: "close the question without an answer" },
    reason: { value: "TEXT", help: "why, with --decline or --cancel" },
  },
  notes: [
    "With nothing after the ID, the command asks you in the terminal.",
    "",
    "  holdpoint answer 3f2a91 env=staging percent=25 notify=chat,status",
    "  holdpoint answer 3f2a91 --decline --reason 'not on a Friday'",
    "",
    "The first six characters of an id are enough. A yes-or-no field takes yes, no, true or false. A field with",
    "several choices takes them separated by commas, or repeated.",
  ],
  run: (call) =>
    withHub(call, { mustExist: true }, async (session) => {
      const [id = "", ...values] = call.args.words
      const question = await findQuestion(session.hub, session.settings.me.tenant, id)
      const answer = await readAnswer(call, question, values)
      return answer === undefined ? askHere(call, session, question) : send(call, session, question, answer)
    }),
}

type AnswerContent = Pick<Answer, "action" | "content" | "reason">

/** Undefined when the command line has no answer and the terminal can ask for one. */
async function readAnswer(
  call: Call,
  question: Elicitation,
  values: readonly string[],
): Promise<AnswerContent | undefined> {
  const { args, io } = call
  const flags = answerFlags.filter((name) => args.has(name)).map((name) => `--${name}`)
  const sources = values.length > 0 ? ["field=value", ...flags] : flags
  if (sources.length > 1) throw wrongUse(`${sources.join(" and ")} do not go together.`, "Give one of them.")
  if (args.has("reason") && !args.has("decline") && !args.has("cancel")) {
    throw wrongUse("--reason belongs to --decline or --cancel.")
  }
  if (args.has("decline")) return { action: "decline", ...withReason(readReason(args, "reason", "person_declined")) }
  if (args.has("cancel")) return { action: "cancel", ...withReason(readReason(args, "reason", "person_cancelled")) }
  if (args.has("accept"))
    return { action: "accept", ...(question.mode === "form" ? { content: yesContent(question) } : {}) }
  const json = args.one("content")
  if (json !== undefined) return { action: "accept", content: fromJson(json === "-" ? await readAll(io.stdin) : json) }
  if (values.length > 0) return { action: "accept", content: fromWords(question, values) }
  if (isInteractive(io)) return undefined
  throw wrongUse(
    "No answer was given, and the command cannot ask you because this is not a terminal.",
    usageOf(question, await call.settings()).join("\n"),
  )
}

/** The content of a plain yes. The hub refuses it if the form requires other fields. */
const yesContent = ({ requestedSchema }: Extract<Elicitation, { mode: "form" }>): unknown =>
  actsOf(requestedSchema)?.answers.yes ?? {}

const withReason = (reason: Reason | undefined) => (reason === undefined ? {} : { reason })

function fromJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    // The parser's message quotes its input, and an answer may be confidential.
    const position = error instanceof Error ? /position \d+/.exec(error.message)?.[0] : undefined
    const positionText = position === undefined ? "" : ` (${position})`
    throw wrongUse(`The answer is not JSON${positionText}.`, 'Write it like {"env": "staging"}.')
  }
}

function fromWords(question: Elicitation, values: readonly string[]): unknown {
  if (question.mode === "form") return toContent(question.requestedSchema, values)
  throw wrongUse("This question asks to open a link and has no fields.", "Use --accept, --decline or --cancel.")
}

function usageOf(question: Elicitation, settings: Settings): readonly string[] {
  const fields = question.mode === "form" ? fieldsOf(question.requestedSchema) : []
  const width = Math.max(0, ...fields.map(({ name }) => name.length))
  const lines = fields.map(({ name, expected }) => `  ${name.padEnd(width)}  ${expected}`)
  return [`Write: ${howToAnswer(question, settings)}`, ...lines, "Or --decline, or --cancel."]
}

async function send(
  call: Call,
  { hub, settings }: Session,
  question: Elicitation,
  answer: AnswerContent,
): Promise<ExitCode> {
  const result = await hub.answer(question.id, { ...answer, by: settings.me, via: "command" })
  return printResult(call, question.id, result, {
    changedWords: doneWords,
    unchangedWords: "You already gave this answer; nothing changed.",
    nextSteps: (refusal) => nextStepsAfter(question, settings, refusal),
  })
}

function doneWords(elicitation: Elicitation): string {
  const { mode, status } = elicitation
  if (mode === "url" && status === "accepted") return `Now open ${elicitation.url}`
  if (status === "pending")
    return `Your yes was counted: ${countApprovals(elicitation)} of ${elicitation.approvals ?? 1}. More people have to approve.`
  return status === "completed" ? "Answered." : status === "declined" ? "Declined." : "Cancelled."
}

function nextStepsAfter(question: Elicitation, settings: Settings, { code }: Refusal): readonly string[] {
  switch (code) {
    case "invalid_answer":
      return ["The question is still open.", ...usageOf(question, settings)]
    case "not_addressee":
      return [
        `It is for ${audienceOf(question.audience)}; you are ${nameOf(settings.me)}.`,
        "If you have another name or role, add --as or --role.",
      ]
    case "already_settled":
    case "expired":
      return [`The full history: ${toCommand(["show", question.id], settings)}`]
    default:
      return []
  }
}

/** Shows the question on this terminal until it is settled, here or elsewhere. */
async function askHere(call: Call, session: Session, question: Elicitation): Promise<ExitCode> {
  const { io, out } = call
  const { hub, settings } = session
  const ending = endingOf(question)
  if (ending !== undefined) {
    out.note(`This question is over. It was ${endingText(ending, io.runtime.now())}.`)
    return 1
  }
  // Sends an answer that this person may not give: the hub refuses it, gives the reason, and records the attempt.
  if (!canAnswer(question, settings.me)) return send(call, session, question, { action: "accept" })
  const outlet = createTerminalOutlet({
    as: settings.me,
    hub,
    input: io.stdin,
    output: io.stderr,
    now: io.runtime.now,
    howToAnswer: (askedQuestion) => howToAnswer(askedQuestion, settings),
  })
  await outlet.deliver(question)
  // Watches instead of waiting: a wait would mark the answer as read by the asker.
  const steps = hub.watch({ id: question.id, afterRevision: question.revision }, { signal: io.signal })
  for await (const { status } of steps) if (isSettled(status) || status === "accepted") break
  const latest = (await hub.get(question.id)) ?? question
  if (isSettled(latest.status)) await outlet.withdraw(latest)
  return latest.answeredBy !== undefined && isSamePerson(latest.answeredBy, settings.me) ? 0 : 1
}
