// Approvals: a person allows one exact call, or says why not. An approval is bound to a digest of the call, so that it
// never covers another one.

import { createHash } from "node:crypto"
import type { Ask } from "@holdpoint/sdk/asking"
import { isRefusal } from "@holdpoint/sdk/asking"
import type { ToolCall } from "./model-step.ts"
import type { ToolOutput } from "./tool.ts"

/** Marks the questions that are approvals of a tool call, among the keys of a run. */
export const approvalKey = "approval "

/** Asks for approval. Returns what the model is told when the call is not approved. */
export async function refusedBy(ask: Ask, call: ToolCall, who: string): Promise<ToolOutput | undefined> {
  try {
    const words = { yes: `Run ${call.tool}`, no: "Do not run it" }
    const isApproved = await ask.confirm(`${approvalKey}${digestOf(call)}`, messageFor(call, who), words)
    return isApproved ? undefined : denied(undefined)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.outcome === "declined" ? denied(error.reason?.message) : denied(error.message)
  }
}

const denied = (reason: string | undefined): ToolOutput => ({
  type: "execution-denied",
  reason: `The user was asked and did not allow this call.${reason === undefined ? "" : ` They said: ${reason}`}`,
})

/** The exact call. What the message shows may be cut. */
const digestOf = ({ id, tool, input }: ToolCall): string =>
  createHash("sha256")
    .update(JSON.stringify([id, tool, input]))
    .digest("base64url")
    .slice(0, 22)

function messageFor({ tool, input }: ToolCall, who: string): string {
  const shown = JSON.stringify(input, null, 2) ?? "nothing"
  const cut = shown.length > mostShown ? `${shown.slice(0, mostShown)}… (${shown.length} characters)` : shown
  return `${who} wants to run “${tool}” with:\n${cut}`
}

const mostShown = 1_200
