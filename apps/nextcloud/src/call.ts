// Runs one tool call: checks the arguments, opens the account, asks for confirmation where something would be lost, and
// builds the result.

import type { Ask } from "@holdpoint/mcp"
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { Accounts } from "./accounts/accounts.ts"
import { withCancellation } from "./api/cancellation.ts"
import { isNextcloudError } from "./api/error.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import { checkArguments } from "./arguments.ts"
import { texts } from "./consent/texts.ts"
import type { Policies } from "./policy.ts"
import type { Reached } from "./reach.ts"
import type { Confirmation, Loss, Policy, RunContext, Tool, WithContent } from "./tool.ts"

export interface CallParts {
  readonly accounts: Accounts
  readonly policies: Policies
  readonly report?: (activity: string, error: unknown) => void
}

export async function callTool(parts: CallParts, tool: Tool, rawInput: unknown, ask: Ask): Promise<CallToolResult> {
  try {
    return await runTool(parts, tool, rawInput, ask)
  } catch (error) {
    if (!isNextcloudError(error)) throw error
    return toFailure(error)
  }
}

/** Runs the tool and throws a NextcloudError when Nextcloud refuses or fails. */
export async function runTool(parts: CallParts, tool: Tool, rawInput: unknown, ask: Ask): Promise<CallToolResult> {
  const input = await checkArguments(tool, rawInput)
  const account = await parts.accounts.open(ask, tool.scopes)
  const nextcloud = withCancellation(account, ask.context.mcpReq.signal)
  // A client may repeat a call whose result was lost. `once` stores the result, so a repeated call adds nothing twice.
  const run = async (): Promise<CallToolResult> => {
    const callOnce = (): Promise<unknown> => tool.run(input, nextcloud, toRun(ask))
    return toResult(tool.effect === "add" ? await ask.once("done", callOnce) : await callOnce())
  }
  if (tool.confirm === undefined || tool.confirm.when?.(input) === false) return run()
  const reached = await findReached(tool, input, nextcloud, ask)
  if (reached?.length === 0) return run()
  // The policy is read once per call: a change while the call waits for an answer applies to later calls.
  const policy = await ask.once("policy", () => parts.policies.of(tool, ask.caller, reached), { repeatable: true })
  if (policy === "never") return run()
  return runAfterConfirmation(parts, { tool, confirm: tool.confirm, policy, input, reached }, nextcloud, ask)
}

/** The recipients of this call. Undefined for a tool without a rule of reach. */
async function findReached(
  { reach }: Tool,
  input: unknown,
  nextcloud: Nextcloud,
  ask: Ask,
): Promise<readonly Reached[] | undefined> {
  if (typeof reach !== "object") return undefined
  return ask.once("reached", async () => reach.find(input, nextcloud), { repeatable: true })
}

interface PendingConfirmation {
  readonly tool: Tool
  readonly confirm: Confirmation<unknown>
  readonly policy: Policy
  readonly input: unknown
  readonly reached: readonly Reached[] | undefined
}

/**
 * Asks for confirmation, then runs the tool. The `Loss` is read only once, so that the tool removes what the person
 * saw.
 */
async function runAfterConfirmation(
  { policies, report }: CallParts,
  { tool, confirm, policy, input, reached }: PendingConfirmation,
  nextcloud: Nextcloud,
  ask: Ask,
): Promise<CallToolResult> {
  const loss = await ask.once("loss", () => confirm.readLoss(input, nextcloud), { repeatable: true })
  const labels = texts.confirmWords(confirm.verb, tool.title)
  if (!(await ask.confirm("confirm", texts.confirm(confirm.verb, loss, reached), labels)))
    return toText(texts.kept(loss.what, confirm.keptText), true)
  const toolResult = await ask.once("done", () => tool.run(input, nextcloud, toRun(ask, loss)))
  // The person's agreement is stored only after the run, so that a replayed call still finds its question. If storing
  // fails, the next call asks the person again.
  if (policy === "once") {
    await policies
      .agreed(tool, ask.caller, reached)
      .catch((error: unknown) => report?.("storing a person's agreement", error))
  }
  return toResult(toolResult)
}

function toRun(ask: Ask, loss?: Loss): RunContext {
  return {
    ...(loss === undefined ? {} : { loss }),
    progress: (message, fraction) => ask.progress(message, fraction),
    signal: ask.context.mcpReq.signal,
  }
}

function toResult(toolResult: unknown): CallToolResult {
  const { output, content = [] } = hasContent(toolResult) ? toolResult : { output: toolResult }
  const structuredContent = output as Record<string, unknown>
  return { structuredContent, content: [{ type: "text", text: JSON.stringify(output) }, ...content] }
}

export function hasContent(toolResult: unknown): toolResult is WithContent<unknown> {
  return typeof toolResult === "object" && toolResult !== null && "output" in toolResult && "content" in toolResult
}

export function toFailure(error: Error & { readonly current?: unknown }): CallToolResult {
  const currentText = error.current === undefined ? "" : `\nCurrent state: ${JSON.stringify(error.current)}`
  return toText(`${error.message}${currentText}`, true)
}

export const toText = (text: string, isError = false): CallToolResult => ({
  ...(isError ? { isError } : {}),
  content: [{ type: "text", text }],
})
