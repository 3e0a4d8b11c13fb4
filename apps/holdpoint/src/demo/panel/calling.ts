// Calls tools one at a time, from the button to the result.

import type { CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client"
import { SdkError, SdkErrorCode, UrlElicitationRequiredError } from "@modelcontextprotocol/client"
import { type Attempt, createAttempt } from "./attempt.ts"
import type { ElicitParams } from "./connection.ts"
import { h } from "./dom.ts"
import { onPopupStatus } from "./popup.ts"
import { prompt, promptByLink, promptFirst } from "./prompting.ts"
import { linkIn, resultView } from "./result.ts"
import type { Stage } from "./stage.ts"

/** People need time to answer. The default timeout of the official client is one minute. */
const timeout = 10 * 60_000

export interface ToolCall {
  readonly tool: string
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface Caller {
  call(toolCall: ToolCall): void
  /** Signs in without calling a tool, so that the tools are listed. */
  signIn(): void
  giveUp(reason: string): void
  /** The signal of the call in progress, if any. Aborts when the person cancels the call. */
  signal(): AbortSignal | undefined
  /** Shows an elicitation of the server, and returns the answer. */
  elicit(params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult>
  /** The server reports that a page is done. */
  completed(elicitation: string): void
}

export function createCaller(stage: Stage, connection: () => Promise<Client>): Caller {
  let current: Attempt | undefined
  const run = async (title: string, work: Work): Promise<void> => {
    current?.abandon()
    const attempt = createAttempt(stage, () => void run(title, work))
    current = attempt
    stage.begin(title, attempt)
    try {
      await work(attempt, await connection())
    } catch (error) {
      if (!attempt.signal.aborted) showFailure(attempt, error)
    }
  }
  // A popup's report counts like the server's notification that a page is done. The call's result shows the outcome.
  onPopupStatus((id, status) => status === "completed" && current?.completed(id))
  return {
    call: (toolCall) =>
      void run(toolCall.title, async (attempt, client) => {
        showResult(attempt, toolCall, await send(attempt, toolCall, client))
      }),
    signIn: () => void run("Signing in", async ({ finish }) => finish("Signed in: the tools are listed", "good")),
    giveUp: (reason) => current?.giveUp(reason),
    signal: () => (current?.isOver() === false ? current.signal : undefined),
    completed: (id) => current?.completed(id),
    elicit: (params, withdrawn) =>
      current === undefined ? Promise.resolve({ action: "cancel" }) : prompt(current, params, withdrawn),
  }
}

type Work = (attempt: Attempt, client: Client) => Promise<void>

function send({ signal, stage }: Attempt, toolCall: ToolCall, client: Client): Promise<CallToolResult> {
  signal.throwIfAborted()
  return client.callTool(
    { name: toolCall.tool, arguments: { ...toolCall.args } },
    {
      ...{ signal, timeout },
      onprogress({ message = "" }) {
        // The official client also reports as progress that it is answering an `input_required` result.
        if (message !== "" && !message.startsWith("Fulfilling input required")) stage.setStatus(message)
      },
    },
  )
}

function showResult(attempt: Attempt, { title }: ToolCall, result: CallToolResult): void {
  const link = linkIn(result)
  if (link !== undefined) promptByLink(attempt, result, link)
  else if (result.isError === true) attempt.finish("The tool failed", "bad", ...resultView(result))
  else attempt.finish(`${title}: done`, "good", ...resultView(result))
}

/** The error text that replaces “Connection closed” of the official client. */
const clientLostText =
  "The server no longer knows this client: it was restarted, or another person signed in. " + "Try again to start over."

function showFailure(attempt: Attempt, error: unknown): void {
  if (error instanceof UrlElicitationRequiredError) return void promptFirst(attempt, error)
  const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
  const words = isClosed ? clientLostText : error instanceof Error ? error.message : String(error)
  attempt.finish("That did not work", "bad", h("p", { class: "text" }, words))
}
