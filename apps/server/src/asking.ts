// Asks the question of `holdpoint ask` and waits for its end. Standard output gets the answer and nothing else.

import type { Draft, Elicitation, Hub, Outcome, Outlet } from "@holdpoint/sdk"
import { isHoldpointError } from "@holdpoint/sdk"
import { toOutcome } from "@holdpoint/sdk/forms"
import { createTerminalOutlet, plainLines } from "@holdpoint/sdk/terminal"
import type { Call, ExitCode } from "./command.ts"
import type { Settings } from "./config.ts"
import { askerOf, audienceOf, endedOf, endingOf } from "./describe.ts"
import { clockTime, inWords } from "./duration.ts"
import { hasWords } from "./fields.ts"
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
      tellIfExisting(call, question)
      call.out.note(dim(`Or in another terminal: ${instructions(question)}`))
      return terminal.deliver(question)
    },
  }
}

export async function askAndWait(call: Call, session: Session, draft: Draft, isHere: boolean): Promise<ExitCode> {
  const { io, out, args } = call
  const { hub } = session
  const asked = await hub.ask(draft, { signal: io.signal })
  const isOver = toOutcome(asked) !== undefined
  if (!isHere || isOver) tellIfExisting(call, asked)
  if (args.has("no-wait")) {
    if (args.has("json")) out.json({ id: asked.id, status: asked.status })
    else out.say(asked.id)
    return 0
  }
  if (!isHere && !isOver) tellQuestion(call, session, asked)
  const stopProgress = isHere || isOver ? () => {} : showProgress(call, asked)
  try {
    const outcome = await hub.wait(asked, { signal: io.signal })
    stopProgress()
    await promptGone()
    return await tellOutcome(call, session, asked, outcome)
  } catch (error) {
    stopProgress()
    if (isHoldpointError(error) && error.code === "content_gone") return tellForgotten(call, asked)
    if (!io.signal.aborted) throw error
    return await tellStopped(call, session, asked)
  }
}

/** A revision past the first means that the question existed before this command: --key matched it, open or settled. */
function tellIfExisting({ out, io }: Call, { id, createdAt, revision, status }: Elicitation): void {
  if (revision === 1) return
  const now = io.runtime.now()
  const since = `${inWords(now - createdAt)} ago (${clockTime(createdAt, now)})`
  out.note(yellow("Found: "), `asked ${since}, ${status}, id ${id}`)
}

function tellQuestion({ out, io }: Call, { settings }: Session, asked: Elicitation): void {
  for (const line of plainLines(asked.message)) out.note(bold(line))
  if (asked.mode === "url") out.note(dim("  address  "), asked.url)
  out.note(dim("  from     "), askerOf(asked))
  out.note(dim("  for      "), audienceOf(asked.audience))
  out.note(dim("  expires  "), `in ${inWords(asked.expiresAt - io.runtime.now())}`)
  out.note(dim("  id       "), asked.id)
  out.note(dim("  answer   "), howToAnswer(asked, settings))
}

/** Draws the question's remaining time on one line, if there is a terminal. Returns a function that stops drawing. */
function showProgress({ out, io }: Call, asked: Elicitation): () => void {
  if (io.stderr.isTTY !== true) return () => {}
  const draw = () => out.progress(`Waiting for an answer, ${inWords(asked.expiresAt - io.runtime.now())} left …`)
  draw()
  const timer = setInterval(draw, 1_000)
  return () => {
    clearInterval(timer)
    out.clearProgress()
  }
}

async function tellOutcome(call: Call, { hub }: Session, asked: Elicitation, outcome: Outcome): Promise<ExitCode> {
  const { io, out, args } = call
  if (args.has("json")) out.json({ id: asked.id, ...outcome })
  if (outcome.status !== "completed") {
    const last = await hub.get(asked.id)
    const ended = last === undefined ? undefined : endedOf(last)
    out.note(yellow("No answer: "), ended === undefined ? outcome.status : `${endingOf(ended, io.runtime.now())}.`)
    return 1
  }
  if (!args.has("json")) out.json(outcome.content ?? {})
  return hasWords(args) && outcome.content?.confirmed === "no" ? 1 : 0
}

function tellForgotten({ out, args }: Call, { id }: Elicitation): ExitCode {
  if (args.has("json")) out.json({ id, status: "completed" })
  out.note("It was answered, but its answer is no longer stored. Ask again with another --key.")
  return 1
}

const releaseTimeoutMs = 2_000

/** An aborted wait makes the hub release the question. Waits for that trail entry, then prints the question's state. */
async function tellStopped({ out }: Call, { hub, settings }: Session, asked: Elicitation): Promise<ExitCode> {
  try {
    const signal = AbortSignal.timeout(releaseTimeoutMs)
    for await (const { kind } of hub.watch({ id: asked.id, afterRevision: asked.revision }, { signal })) {
      if (kind === "released") break
    }
  } catch {
    // The watch began after the release, or the database is slow. In both cases the stored state is printed.
  }
  await promptGone()
  const left = await hub.get(asked.id)
  if (left === undefined || toOutcome(left) !== undefined) {
    out.note(yellow("Cancelled: "), "the question is taken back.")
  } else {
    out.note(
      yellow("Stopped waiting. "),
      "The question stays open, because another asker waits for it, or was killed while waiting.",
    )
    out.note(`To take it back: ${toCommand(["cancel", asked.id], settings)}`)
  }
  return 1
}
