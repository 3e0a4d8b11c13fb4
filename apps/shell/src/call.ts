// One call of a script, over all runs of the call: starts the script or continues with the running one, asks the
// script's questions, and returns its result.

import type { Ask } from "@holdpoint/calls"
import { askForProgram, keptCall } from "@holdpoint/calls"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
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
  /** The client of this run, which receives the script's progress and log messages. */
  readonly client: NoticeListener
}

/**
 * Calls a tool. Rejects with the reason of `ask.signal` when the call was cancelled, or a person took back their Yes.
 */
export async function callTool(scripts: Scripts, call: ToolCall, ask: Ask): Promise<CallToolResult> {
  const { tool } = call
  const { id, isContinued, onRunEnd } = await keptCall(ask)
  const running = scripts.get(id)
  if (running === undefined && isContinued && !tool.replayable) throw scriptLost(tool)
  const script = running ?? (await startScript(scripts, call, id))
  let isRunOver = false
  const unregisterRun = script.registerRun()
  const stopListening = script.notices.listen(call.client)
  onRunEnd(() => {
    isRunOver = true
    stopListening()
    unregisterRun()
  })
  // Answers to an earlier process of the script do not count for this one, unless the tool may be replayed with them.
  const scriptAsk = tool.replayable ? ask : ask.scope(`script ${script.name}`)
  // The script of a suspended call keeps running: only a signal during the run ends it, not the end of the request.
  const stop = (): void => {
    if (!isRunOver) script.end("cancelled")
  }
  // The signal of the scope in which the script asks: a person who takes back a Yes stops the script.
  const { signal } = scriptAsk
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  try {
    const scriptEnd = await Promise.race([script.ended, askQuestions(script, call, scriptAsk)])
    // The call was suspended meanwhile, so its next run returns the result.
    if (isRunOver) return { content: [] }
    if (scriptEnd.endedBy === "cancelled") signal.throwIfAborted()
    await script.notices.flush()
    const result = await toResult(scriptEnd, tool, { folders: script.folders })
    // Not awaited: the client need not wait until the script's files are removed.
    script.release().catch(isReported)
    return result
  } catch (error) {
    // The script has ended or is being ended. Its files are removed when it has exited.
    const release = (): Promise<void> => script.release()
    script.ended.then(release, release).catch(isReported)
    throw error
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

/** For the error of a release, which the scripts report themselves. */
const isReported = (): void => {}

async function startScript(scripts: Scripts, { tool, facts }: ToolCall, id: string): Promise<RunningScript> {
  const callFacts = await facts()
  // No await may stand between the check and the start, or two calls at the same time could exceed the limit.
  if (scripts.isFull()) throw tooManyScripts()
  return scripts.start(id, tool, callFacts)
}

/** Asks all questions of the script. Never resolves; rejects when the call cannot continue. */
function askQuestions(script: RunningScript, call: ToolCall, ask: Ask): Promise<never> {
  const connectAccount = createConnectAccounts(ask, script.accounts)
  return new Promise((_resolve, reject) => {
    const answerQuestion = (question: ScriptQuestion): void => {
      answerTo(question, call, { ask, connectAccount }).then(
        (answer) => question.settle(answer),
        (error: unknown) => {
          if (ask.signal.aborted) return
          script.end("cancelled")
          reject(error)
        },
      )
    }
    script.questions.onQuestion(answerQuestion)
    for (const question of script.questions.listOpen()) answerQuestion(question)
  })
}

interface AskParts {
  readonly ask: Ask
  readonly connectAccount: ConnectAccounts
}

async function answerTo(
  question: ScriptQuestion,
  { tool, askWithinMs }: ToolCall,
  { ask, connectAccount }: AskParts,
): Promise<Answer> {
  const { key, request, withdrawnSignal: signal } = question
  const { message } = request
  const lifetimeMs = Math.max(request.timeoutMs ?? tool.askWithinMs ?? askWithinMs, minLifetimeMs)
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
const minLifetimeMs = 1_000

function scriptLost({ name }: ShellTool): HoldpointError {
  return new HoldpointError(
    "effect_unknown",
    `The script “${name}” waited for an answer and is not in this process: its server was stopped, or this call came to ` +
      "another of several processes. What the script did before the question is done. Check what is already done, then " +
      "call the tool again to start it from the beginning. If several processes serve these tools behind a load " +
      "balancer, its operator has to send each client to one of them.",
  )
}

function tooManyScripts(): HoldpointError {
  return new HoldpointError(
    "too_many_for_tenant",
    "This server runs as many scripts as its limit allows. The script was not started. Call again when one has ended.",
  )
}
