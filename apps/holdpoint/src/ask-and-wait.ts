// Asks the question of `holdpoint ask` and waits for its end. Standard output gets the answer and nothing else.

import type { Draft, Elicitation, Hub, Outcome, Outlet } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { toOutcome } from "@holdpoint/hub/forms"
import { createTerminalOutlet, plainLines } from "@holdpoint/terminal"
import type { Call, ExitCode } from "./command.ts"
import type { Settings } from "./config.ts"
import { askerOf, audienceOf, endingOf, endingText } from "./describe.ts"
import { clockTime, inWords } from "./duration.ts"
import { hasAnswerLabels } from "./fields.ts"
import { howToAnswer, toCommand } from "./instructions.ts"
import { promptGone } from "./io.ts"
import { bold, dim, yellow } from "./output.ts"
import type { Session } from "./session.ts"

/** The terminal outlet, which also prints how to answer from another terminal. */
export function createAskTerminal(call: Call, settings: Settings, hub: Hub): Outlet {
  const { stdin: input, stderr: output, runtime } = call.io
  const instructions = (question: Elicitation) => howToAnswer(question, settings)
  const options = { as: settings.me, hub, input, output, now: runtime.now, howToAnswer: instructions }
  const terminal = createTerminalOutlet(options)
  return {
    ...terminal,
    deliver(question) {
      printIfExisting(call, question)
      call.out.note(dim(`Or in another terminal: ${instructions(question)}`))
      return terminal.deliver(question)
    },
  }
}

export async function askAndWait(call: Call, session: Session, draft: Draft, isAskedHere: boolean): Promise<ExitCode> {
  const { io, out, args } = call
  const { hub } = session
  const question = await hub.ask(draft, { signal: io.signal })
  const isOver = toOutcome(question) !== undefined
  if (!isAskedHere || isOver) printIfExisting(call, question)
  if (args.has("no-wait")) {
    if (args.has("json")) out.json({ id: question.id, status: question.status })
    else out.say(question.id)
    return 0
  }
  if (!isAskedHere && !isOver) printQuestion(call, session, question)
  const stopProgress = isAskedHere || isOver ? () => {} : showProgress(call, question)
  try {
    const outcome = await hub.wait(question, { signal: io.signal })
    stopProgress()
    await promptGone()
    return await printOutcome(call, session, question, outcome)
  } catch (error) {
    stopProgress()
    if (isHoldpointError(error) && error.code === "content_gone") return printForgotten(call, question)
    if (!io.signal.aborted) throw error
    return await printStopped(call, session, question)
  }
}

/** A revision past the first means that the question existed before this command: --key matched it, open or settled. */
function printIfExisting({ out, io }: Call, { id, createdAt, revision, status }: Elicitation): void {
  if (revision === 1) return
  const now = io.runtime.now()
  const since = `${inWords(now - createdAt)} ago (${clockTime(createdAt, now)})`
  out.note(yellow("Found: "), `asked ${since}, ${status}, id ${id}`)
}

function printQuestion({ out, io }: Call, { settings }: Session, question: Elicitation): void {
  for (const line of plainLines(question.message)) out.note(bold(line))
  if (question.mode === "url") out.note(dim("  address  "), question.url)
  out.note(dim("  from     "), askerOf(question))
  out.note(dim("  for      "), audienceOf(question.audience))
  out.note(dim("  expires  "), `in ${inWords(question.expiresAt - io.runtime.now())}`)
  out.note(dim("  id       "), question.id)
  out.note(dim("  answer   "), howToAnswer(question, settings))
}

/** Draws the question's remaining time on one line, if there is a terminal. Returns a function that stops drawing. */
function showProgress({ out, io }: Call, question: Elicitation): () => void {
  if (io.stderr.isTTY !== true) return () => {}
  const draw = () => out.progress(`Waiting for an answer, ${inWords(question.expiresAt - io.runtime.now())} left …`)
  draw()
  const timer = setInterval(draw, 1_000)
  return () => {
    clearInterval(timer)
    out.clearProgress()
  }
}

async function printOutcome(call: Call, { hub }: Session, question: Elicitation, outcome: Outcome): Promise<ExitCode> {
  const { io, out, args } = call
  if (args.has("json")) out.json({ id: question.id, ...outcome })
  if (outcome.status !== "completed") {
    const latest = await hub.get(question.id)
    const ending = latest === undefined ? undefined : endingOf(latest)
    out.note(yellow("No answer: "), ending === undefined ? outcome.status : `${endingText(ending, io.runtime.now())}.`)
    return 1
  }
  if (!args.has("json")) out.json(outcome.content ?? {})
  return hasAnswerLabels(args) && outcome.content?.confirmed === "no" ? 1 : 0
}

function printForgotten({ out, args }: Call, { id }: Elicitation): ExitCode {
  if (args.has("json")) out.json({ id, status: "completed" })
  out.note("It was answered, but its answer is no longer stored. Ask again with another --key.")
  return 1
}

const releaseTimeoutMs = 2_000

/** An aborted wait makes the hub release the question. Waits for that trail entry, then prints the question's state. */
async function printStopped({ out }: Call, { hub, settings }: Session, question: Elicitation): Promise<ExitCode> {
  try {
    const signal = AbortSignal.timeout(releaseTimeoutMs)
    for await (const { kind } of hub.watch({ id: question.id, afterRevision: question.revision }, { signal })) {
      if (kind === "released") break
    }
  } catch {
    // The watch began after the release, or the database is slow. In both cases the stored state is printed.
  }
  await promptGone()
  const latest = await hub.get(question.id)
  if (latest === undefined || toOutcome(latest) !== undefined) {
    out.note(yellow("Cancelled: "), "the question is withdrawn.")
  } else {
    out.note(
      yellow("Stopped waiting. "),
      "The question stays open, because another asker waits for it, or was killed while waiting.",
    )
    out.note(`To withdraw it: ${toCommand(["cancel", question.id], settings)}`)
  }
  return 1
}
