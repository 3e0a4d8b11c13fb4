// One call of a script, over all its runs: starts the script or finds the one that this call keeps, asks what it asks, and
// returns what it printed.

import { HoldpointError, isHoldpointError } from "@holdpoint/sdk"
import type { Ask } from "@holdpoint/sdk/asking"
import { askForProgram, keptCall } from "@holdpoint/sdk/asking"
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { ConnectAccounts } from "./accounts/connect.ts"
import { createConnectAccounts } from "./accounts/connect.ts"
import type { Answer } from "./answer.ts"
import { toAnswer, toRefusedAnswer } from "./answer.ts"
import type { CallFacts } from "./environment.ts"
import type { NoticeListener } from "./notices/notices.ts"
import type { ScriptQuestion } from "./questions.ts"
import { toResult } from "./result/result.ts"
import type { RunningScript, Scripts } from "./scripts.ts"
import type { ShellTool } from "./tool.ts"

export interface ToolCall {
  readonly tool: ShellTool
  readonly facts: () => Promise<CallFacts>
  /** How long a person has to answer, unless the tool or the script says otherwise. */
  readonly askWithinMs: number
  /** The client of this run, for what the script reports while it runs. */
  readonly client: NoticeListener
}

/** Calls a tool. Rejects with the reason of `ask.signal` when the call was given up, or a person took back their Yes. */
export async function callTool(scripts: Scripts, call: ToolCall, ask: Ask): Promise<CallToolResult> {
  const { tool } = call
  const { id, isContinued, onRunEnd } = await keptCall(ask)
  const kept = scripts.get(id)
  if (kept === undefined && isContinued && !tool.replayable) throw lost(tool)
  const script = kept ?? (await startScript(scripts, call, id))
  let isOver = false
  const leave = script.attend()
  const stopTelling = script.notices.listen(call.client)
  onRunEnd(() => {
    isOver = true
    stopTelling()
    leave()
  })
  // Answers to an earlier process of the script do not count for this one, unless the tool may be run again with them.
  const own = tool.replayable ? ask : ask.scope(`script ${script.name}`)
  // A suspended call is waited for: the end of the request that it was answered with does not end the script.
  const stop = (): void => {
    if (!isOver) script.end("cancelled")
  }
  // The signal of the scope in which the script asks: a person who takes back a Yes stops the script.
  const { signal } = own
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  try {
    const ended = await Promise.race([script.ended, failureOf(script, call, own)])
    // The call was suspended meanwhile: its next run uses the end of the script.
    if (isOver) return { content: [] }
    if (ended.endedBy === "cancelled") signal.throwIfAborted()
    await script.notices.flush()
    const result = await toResult(ended, tool, { folders: script.folders })
    // The client does not wait until its files are gone.
    void script.release()
    return result
  } catch (error) {
    // It was ended, and what is left of it is not needed.
    void script.ended.then(() => script.release())
    throw error
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

async function startScript(scripts: Scripts, { tool, facts }: ToolCall, id: string): Promise<RunningScript> {
  const known = await facts()
  // Nothing is awaited between this and the start, so that calls made at the same time count each other.
  if (scripts.isFull()) throw full()
  return scripts.start(id, tool, known)
}

/** Asks all questions of the script. Rejects when the call cannot go on, and never resolves. */
function failureOf(script: RunningScript, call: ToolCall, ask: Ask): Promise<never> {
  const connectAccount = createConnectAccounts(ask, script.accounts)
  return new Promise((_resolve, reject) => {
    const put = (question: ScriptQuestion): void => {
      answerTo(question, call, { ask, connectAccount }).then(
        (answer) => question.settle(answer),
        (error: unknown) => {
          if (ask.signal.aborted) return
          script.end("cancelled")
          reject(error)
        },
      )
    }
    script.questions.onQuestion(put)
    for (const question of script.questions.open()) put(question)
  })
}

interface Ways {
  readonly ask: Ask
  readonly connectAccount: ConnectAccounts
}

async function answerTo(
  question: ScriptQuestion,
  { tool, askWithinMs }: ToolCall,
  { ask, connectAccount }: Ways,
): Promise<Answer> {
  const { key, request, withdrawn: signal } = question
  const { message } = request
  const lifetimeMs = Math.max(request.timeoutMs ?? tool.askWithinMs ?? askWithinMs, leastMs)
  const base = { key, message, signal, options: { lifetimeMs } }
  try {
    switch (request.mode) {
      case "form":
        return toAnswer(request, await askForProgram(ask, { ...base, form: request.schema }))
      case "confirm":
        return toAnswer(request, await askForProgram(ask, { ...base, confirm: request }))
      case "url": {
        const options = request.wait ? base.options : { ...base.options, until: "accepted" as const }
        return toAnswer(request, await askForProgram(ask, { ...base, url: request.url, options }))
      }
      case "connection":
        return await connectAccount(question, request, lifetimeMs)
    }
  } catch (error) {
    const answer = isHoldpointError(error) ? toRefusedAnswer(error) : undefined
    if (answer === undefined) throw error
    return answer
  }
}

/** The shortest time that a question can be open. */
const leastMs = 1_000

function lost({ name }: ShellTool): HoldpointError {
  return new HoldpointError(
    "effect_unknown",
    `The script “${name}” was waiting for an answer when its server was stopped, so its place is lost. What it did before ` +
      "the question is done, and nothing was done after it. Look at what is there, and call the tool again to start it " +
      "from the beginning.",
  )
}

function full(): HoldpointError {
  return new HoldpointError(
    "too_many_for_tenant",
    "As many scripts are running or waiting as this server allows. Nothing was started; call again when one has ended.",
  )
}
