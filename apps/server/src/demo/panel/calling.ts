// Calls, one at a time, from the button to the result.

import type { CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client"
import { SdkError, SdkErrorCode, UrlElicitationRequiredError } from "@modelcontextprotocol/client"
import { type Attempt, createAttempt } from "./attempt.ts"
import type { ElicitParams } from "./connection.ts"
import { h } from "./dom.ts"
import { hearPopups } from "./popup.ts"
import { prompt, promptByLink, promptFirst } from "./prompting.ts"
import { linkIn, resultView } from "./result.ts"
import type { Stage } from "./stage.ts"

/** People need time; the official client would give up after a minute. */
const timeout = 10 * 60_000

export interface ToolCall {
  readonly tool: string
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface Caller {
  call(wanted: ToolCall): void
  /** Signs in without calling a tool, so that the tools are listed. */
  arrive(): void
  giveUp(why: string): void
  /** The signal of the call in progress, if any; aborts when the call is given up. */
  signal(): AbortSignal | undefined
  asked(params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult>
  /** The server reports that a page is done. */
  completed(elicitation: string): void
}

export function createCaller(stage: Stage, connection: () => Promise<Client>): Caller {
  let now: Attempt | undefined
  const make = async (title: string, doing: Doing): Promise<void> => {
    now?.abandon()
    const attempt = createAttempt(stage, () => void make(title, doing))
    now = attempt
    stage.begin(title, attempt)
    try {
      await doing(attempt, await connection())
    } catch (error) {
      if (!attempt.signal.aborted) tellFailure(attempt, error)
    }
  }
  // A popup's report counts like the server's notice: either way the call returns how the question really ended.
  hearPopups((id, status) => status === "completed" && now?.completed(id))
  return {
    call: (wanted) =>
      void make(wanted.title, async (attempt, client) => {
        tell(attempt, wanted, await send(attempt, wanted, client))
      }),
    arrive: () => void make("Signing in", async ({ finish }) => finish("Signed in: the tools are listed", "good")),
    giveUp: (why) => now?.giveUp(why),
    signal: () => (now?.isOver() === false ? now.signal : undefined),
    completed: (id) => now?.completed(id),
    asked: (params, withdrawn) =>
      now === undefined ? Promise.resolve({ action: "cancel" }) : prompt(now, params, withdrawn),
  }
}

type Doing = (attempt: Attempt, client: Client) => Promise<void>

function send({ signal, stage }: Attempt, wanted: ToolCall, client: Client): Promise<CallToolResult> {
  signal.throwIfAborted()
  return client.callTool(
    { name: wanted.tool, arguments: { ...wanted.args } },
    {
      ...{ signal, timeout },
      onprogress({ message = "" }) {
        // The official client also reports its own rounds as progress.
        if (message !== "" && !message.startsWith("Fulfilling input required")) stage.say(message)
      },
    },
  )
}

function tell(attempt: Attempt, { title }: ToolCall, result: CallToolResult): void {
  const link = linkIn(result)
  if (link !== undefined) promptByLink(attempt, result, link)
  else if (result.isError === true) attempt.finish("The tool failed", "bad", ...resultView(result))
  else attempt.finish(`${title}: done`, "good", ...resultView(result))
}

/** Replaces the official client's “Connection closed”. */
const newClient =
  "The server no longer knows this client: it was restarted, or another person signed in. " + "Try again to start over."

function tellFailure(attempt: Attempt, error: unknown): void {
  if (error instanceof UrlElicitationRequiredError) return void promptFirst(attempt, error)
  const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
  const words = isClosed ? newClient : error instanceof Error ? error.message : String(error)
  attempt.finish("That did not work", "bad", h("p", { class: "text" }, words))
}
