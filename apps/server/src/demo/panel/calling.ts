// Calls, one at a time, from the button to the result.

import type { CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client"
import { SdkError, SdkErrorCode, UrlElicitationRequiredError } from "@modelcontextprotocol/client"
import { type Attempt, createAttempt } from "./attempt.ts"
import type { Asked } from "./connection.ts"
import { h } from "./dom.ts"
import { hearPopups } from "./popup.ts"
import { prompt, promptByLink, promptFirst } from "./prompting.ts"
import { linkIn, resultView } from "./result.ts"
import type { Stage } from "./stage.ts"

/** People take their time; the official client would give up after a minute. */
const timeout = 10 * 60_000

export interface Wanted {
  readonly tool: string
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface Caller {
  call(wanted: Wanted): void
  /** No tool: somebody signs in, and sees what there is. */
  arrive(): void
  giveUp(why: string): void
  /** Of the call that is made now, if there is one: aborts when it is given up. */
  signal(): AbortSignal | undefined
  asked(params: Asked, withdrawn: AbortSignal): Promise<ElicitResult>
  /** A page is done, says the server. */
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
  // A window that says that its page is done is as good as the server's notice: the call knows how it really stands.
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

function send({ signal, stage }: Attempt, wanted: Wanted, client: Client): Promise<CallToolResult> {
  signal.throwIfAborted()
  return client.callTool(
    { name: wanted.tool, arguments: { ...wanted.args } },
    {
      ...{ signal, timeout },
      onprogress({ message = "" }) {
        // The official client tells of its own rounds as well.
        if (message !== "" && !message.startsWith("Fulfilling input required")) stage.say(message)
      },
    },
  )
}

function tell(attempt: Attempt, { title }: Wanted, result: CallToolResult): void {
  const link = linkIn(result)
  if (link !== undefined) promptByLink(attempt, result, link)
  else if (result.isError === true) attempt.finish("The tool could not", "bad", ...resultView(result))
  else attempt.finish(`${title}: done`, "good", ...resultView(result))
}

/** The official client says “Connection closed”. */
const newClient =
  "The server does not know this client any more: it was started afresh, or somebody else signed in meanwhile. " +
  "Trying again begins anew."

function tellFailure(attempt: Attempt, error: unknown): void {
  if (error instanceof UrlElicitationRequiredError) return void promptFirst(attempt, error)
  const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
  const words = isClosed ? newClient : error instanceof Error ? error.message : String(error)
  attempt.finish("That did not work", "bad", h("p", { class: "text" }, words))
}
