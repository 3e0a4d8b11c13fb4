// One agent in a run: model steps and tool calls alternate until the model calls no more tools. Their results are
// journaled in the run's call, so that the agent and its sub-agents continue after a restart where they stopped.

import { finishedScope, isBegunScope, isRefusal, resultOf } from "@holdpoint/calls"
import { isHoldpointError } from "@holdpoint/hub"
import type { EventSource } from "@holdpoint/hub/stream"
import type { ModelMessage, ToolModelMessage } from "ai"
import { approvalOf, needsApproval, refusedBefore, tellEdit } from "./approval.ts"
import type { AgentConfig } from "./definition.ts"
import type { StepResult, ToolCall } from "./model-step.ts"
import { runModelStep } from "./model-step.ts"
import { createRefusals } from "./refusals.ts"
import type { RunContext } from "./run-context.ts"
import { codeOf } from "./run-entries.ts"
import type { Chunk, RunLog } from "./run-log.ts"
import type { Tool, ToolOutput } from "./tool.ts"
import { errorOutput, textOutput } from "./tool.ts"

/** An agent, ready to run for one person. */
export interface Agent extends Pick<AgentConfig, "model" | "instructions"> {
  readonly name: string
  /** The display name. */
  readonly title: string
  readonly maxSteps: number
  /** The tools that the agent may call now. */
  tools(): Promise<readonly Tool[]>
}

/**
 * Runs the agent until its model calls no more tools or `maxSteps` is reached. Returns the messages of its reply, with
 * tool calls and results, as models read them.
 */
export async function runAgent(agent: Agent, context: RunContext): Promise<readonly ModelMessage[]> {
  const reply: ModelMessage[] = []
  const refusals = createRefusals(context.refusals)
  for (let step = 0; step < agent.maxSteps; step++) {
    const { messages, calls } = await runStep(agent, context, { step, reply })
    const results = await Promise.all(
      calls.map((call, index) => runCall(agent, { ...context, refusals }, { step, index, call })),
    )
    refusals.settle()
    reply.push(...messages)
    if (calls.length > 0) reply.push(toMessage(results))
    // A call with invalid arguments has its result in `messages` already: the model reads it in the next step.
    else if (messages.at(-1)?.role !== "tool") return reply
  }
  return [...reply, { role: "assistant", content: `I stopped after ${agent.maxSteps} steps.` }]
}

async function runStep(
  agent: Agent,
  { ask, signal, prompt, log }: RunContext,
  { step, reply }: { readonly step: number; readonly reply: readonly ModelMessage[] },
): Promise<StepResult> {
  const effect = async (): Promise<StepResult> => {
    const [promptMessages, tools] = await Promise.all([prompt(), agent.tools()])
    if (log !== undefined) await beginStep(log, step)
    const result = await runModelStep({
      ...{ model: agent.model, instructions: agent.instructions, signal },
      messages: [...promptMessages, ...reply],
      tools: tools.filter(({ policy, isHidden }) => policy !== "never" && isHidden !== true),
      show: (chunk) => log?.add(chunk),
    })
    await log?.flush()
    return result
  }
  // `resultOf` costs one write less, but is only for work that does not depend on answers. The work of a sub-agent,
  // which has no log, depends on the approval of the tool call that began it.
  return log === undefined
    ? ask.once(`model ${step}`, effect, { repeatable: true })
    : resultOf(ask, `model ${step}`, effect)
}

/** Logs the beginning of a step. On a retry, logs `reset-step`: readers drop the output of the earlier attempt. */
async function beginStep(log: RunLog, step: number): Promise<void> {
  if ((await log.count("start-step")) > step) {
    log.add({ type: "reset-step" })
  } else {
    if (step > 0) log.add({ type: "finish-step" })
    log.add({ type: "start-step" })
  }
}

/** Separates scopes in the journal keys of a call. The same text as the separator in `@holdpoint/calls`. */
export const scopeSeparator = " › "

interface StepCall {
  readonly step: number
  readonly index: number
  readonly call: ToolCall
}

/** The result of a call, as a part of the next message to the model. */
interface CallResult {
  readonly call: ToolCall
  readonly output: ToolOutput
}

async function runCall(agent: Agent, context: RunContext, { step, index, call }: StepCall): Promise<CallResult> {
  const name = `step ${step} call ${index}`
  const scope = context.scope === "" ? name : `${context.scope}${scopeSeparator}${name}`
  const ask = context.ask.scope(name)
  const isSubAgent = context.path.length > 1
  const caller = isSubAgent ? { agent: context.path.slice(1).join(scopeSeparator) } : {}
  const source = { toolId: call.id, toolName: call.tool, ...caller }
  context.announce(scope, source)
  const earlierOutput = await finishedScope<ToolOutput>(context.ask, name, "shown")
  if (earlierOutput !== undefined) {
    await recall(agent, context, { call, output: earlierOutput })
    return { call, output: earlierOutput }
  }
  const facts = { id: scope, toolId: call.id, tool: call.tool, ...caller }
  if (!(await isBegunScope(context.ask, name))) await context.noteCall({ code: "begun", call: facts })
  const output = await outputOf(agent, { ...context, ask, scope }, { call, source })
  const noteEnd = async (): Promise<ToolOutput> => {
    const callEnd = { code: codeOf(output), call: facts }
    await Promise.all([show(context.log, call, output), context.noteCall(callEnd)])
    return output
  }
  // The output is journaled, so that a call whose result the model has read is never repeated, even if it failed. Noting
  // it is not an effect: a No that comes now stops what has not begun, and never hides what was done.
  return { call, output: await resultOf(ask, "shown", noteEnd) }
}

/**
 * Restores the effects of a call that is not repeated after a resume: the person is not asked again about a refused
 * tool call or account.
 */
async function recall(agent: Agent, context: RunContext, { call, output }: CallResult): Promise<void> {
  if (output.type === "execution-denied") context.refusals?.add(call)
  const tool = await toolOf(agent, call)
  tool?.recall?.(output)
}

async function outputOf(
  agent: Agent,
  context: RunContext,
  { call, source }: { readonly call: ToolCall; readonly source: EventSource },
): Promise<ToolOutput> {
  const { signal } = context
  const tool = await toolOf(agent, call)
  if (tool === undefined || tool.policy === "never")
    return errorOutput(`The tool “${call.tool}” no longer exists. Do not call it again.`)
  const allowed = needsApproval(tool.policy) ? await allowedCall(agent, context, { tool, call }) : call
  if ("type" in allowed) return allowed
  const output = await tool.run({ call: allowed, context, source }).catch((error: unknown) => {
    signal.throwIfAborted()
    if (isHoldpointError(error) && error.isOfStorage) throw error
    return errorOutput(errorTextFor(error, call.tool))
  })
  return allowed === call ? output : tellEdit(output, allowed)
}

/**
 * The tool that the model called. A tool of a server is found by its origin, because a server may list other tools by
 * now, so that another tool has the name under which this one was offered.
 */
async function toolOf(agent: Agent, { tool, origin }: ToolCall): Promise<Tool | undefined> {
  const tools = await agent.tools()
  if (origin === undefined) return tools.find(({ name }) => name === tool)
  return tools.find((one) => one.origin?.server === origin.server && one.origin.name === origin.name)
}

/** The call that the person allowed, or the output for the model after a refusal. */
async function allowedCall(
  { title }: Agent,
  { ask, scope, refusals, noteEdit }: RunContext,
  { tool, call }: { readonly tool: Tool; readonly call: ToolCall },
): Promise<ToolCall | ToolOutput> {
  if (refusals?.has(call) === true) return refusedBefore
  const approval = await approvalOf({ ask, call, tool, asker: title })
  if ("refused" in approval) {
    refusals?.add(call)
    return approval.refused
  }
  const { allowed, edit } = approval
  if (edit === undefined) return allowed
  await resultOf(ask, "edit", () => noteEdit(`${scope}${scopeSeparator}${edit.key}`, edit.names))
  return allowed
}

/** The error text for the model. The message of an error that a configured tool throws is passed on unchanged. */
function errorTextFor(error: unknown, tool: string): string {
  if (isRefusal(error)) return error.message
  if (isHoldpointError(error) && error.code === "effect_unknown")
    return `It is unknown whether ${tool} was carried out: the program ended during the call. The call was not repeated. Tell the user, and check whether it was carried out before you call it again.`
  return error instanceof Error ? error.message : String(error)
}

async function show(log: RunLog | undefined, { id: toolCallId }: ToolCall, output: ToolOutput): Promise<void> {
  log?.add(toChunk(toolCallId, output))
  await log?.flush()
}

function toChunk(toolCallId: string, output: ToolOutput): Chunk {
  switch (output.type) {
    case "text":
    case "json":
    case "content":
      return { type: "tool-output-available", toolCallId, output: output.value, dynamic: true }
    case "error-text":
      return { type: "tool-output-error", toolCallId, errorText: output.value, dynamic: true }
    case "execution-denied":
      return { type: "tool-output-denied", toolCallId }
  }
}

const toMessage = (results: readonly CallResult[]): ToolModelMessage => ({
  role: "tool",
  content: results.map(({ call: { id: toolCallId, tool: toolName }, output }) => ({
    ...{ type: "tool-result", toolCallId, toolName, output: output as never },
  })),
})

/** The text of a sub-agent's last message, as the tool result for the agent that called it. */
export function lastTextOutput(reply: readonly ModelMessage[]): ToolOutput {
  const last = reply.findLast(({ role }) => role === "assistant")
  const content = last?.content ?? ""
  const text =
    typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("")
  return textOutput(text === "" ? "The agent finished without a reply." : text)
}
