// Calls, one at a time, from the button to the result.

import type { CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client"
import { UrlElicitationRequiredError } from "@modelcontextprotocol/client"
import { type Attempt, createAttempt, type Wanted } from "./attempt.ts"
import type { Asked } from "./connection.ts"
import { h } from "./dom.ts"
import { hearPopups } from "./popup.ts"
import { prompt, promptByLink, promptFirst } from "./prompting.ts"
import { linkIn, resultView } from "./result.ts"
import type { Stage } from "./stage.ts"

/** People take their time; the official client would give up after a minute. */
const timeout = 10 * 60_000

export interface Caller {
  call(wanted: Wanted): Promise<void>
  /** Of the call that is made now: aborts when it is given up. */
  signal(): AbortSignal | undefined
  asked(params: Asked, withdrawn: AbortSignal): Promise<ElicitResult>
  /** A page is done, says the server. */
  completed(elicitation: string): void
}

export function createCaller(stage: Stage, connection: () => Promise<Client>): Caller {
  let now: Attempt | undefined
  const call = async (wanted: Wanted): Promise<void> => {
    now?.abandon()
    const attempt = createAttempt(stage, wanted, (same) => void call(same))
    now = attempt
    stage.begin(wanted.title, attempt.giveUp)
    try {
      tell(attempt, await send(attempt, await connection()))
    } catch (error) {
      if (!attempt.signal.aborted) tellFailure(attempt, error)
    }
  }
  // A window that says that its page is done is as good as the server's notice: the call knows how it really stands.
  hearPopups((id, status) => status === "completed" && now?.completed(id))
  return {
    call,
    signal: () => now?.signal,
    completed: (id) => now?.completed(id),
    asked: (params, withdrawn) =>
      now === undefined ? Promise.resolve({ action: "cancel" }) : prompt(now, params, withdrawn),
  }
}

function send({ wanted, signal, stage }: Attempt, client: Client): Promise<CallToolResult> {
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

function tell(attempt: Attempt, result: CallToolResult): void {
  const link = linkIn(result)
  if (link !== undefined) promptByLink(attempt, result, link)
  else if (result.isError === true) attempt.finish("The tool could not", "bad", ...resultView(result))
  else attempt.finish(`${attempt.wanted.title}: done`, "good", ...resultView(result))
}

function tellFailure(attempt: Attempt, error: unknown): void {
  if (error instanceof UrlElicitationRequiredError) return void promptFirst(attempt, error)
  const words = error instanceof Error ? error.message : String(error)
  attempt.finish("That did not work", "bad", h("p", { class: "text" }, words))
}
