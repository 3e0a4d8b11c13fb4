// Shows the questions of the server: during a call, or instead of its result.

import type { CallToolResult, ElicitResult, UrlElicitationRequiredError } from "@modelcontextprotocol/client"
import type { Attempt } from "./attempt.ts"
import { type Card, formCard, remove, visitCard, withdraw } from "./cards.ts"
import type { ElicitParams } from "./connection.ts"

/** Shows a question from `elicitation/create`, or from an `input_required` result with the same parameters. */
export function prompt(attempt: Attempt, params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult> {
  const { stage } = attempt
  stage.setStatus("The server asks you something.")
  return new Promise((resolve) => {
    const answer = (reply: ElicitResult): void => {
      resolve(reply)
      stage.setStatus(reply.action === "accept" ? "Continuing with your answer …" : "Telling the server …")
      // The prompt for a page stays until the page is done.
      if (params.mode !== "url" || reply.action !== "accept") remove(card)
    }
    const card = params.mode === "url" ? pageCard(attempt, params, answer) : questionCard(params, answer)
    withdrawn.addEventListener("abort", () => withdraw(card))
    const url = params.mode === "url" ? params.url : undefined
    attempt.show(card, url, () => {
      stage.setStatus("The page is done. The call continues.")
      remove(card)
    })
  })
}

type Answer = (reply: ElicitResult) => void

function pageCard(attempt: Attempt, { message, url }: ElicitParams & { mode: "url" }, answer: Answer): Card {
  let isOpened = false
  return visitCard({
    ...{ title: "The server asks you to open a page", message, url },
    opened: "Finish in the window that opened. The call continues as soon as the server knows.",
    onOpen() {
      if (!isOpened) answer({ action: "accept" })
      isOpened = true
    },
    onDecline: () => answer({ action: "decline" }),
    onCancel: () => (isOpened ? attempt.giveUp() : answer({ action: "cancel" })),
    onRetry: attempt.retry,
  })
}

function questionCard(params: Exclude<ElicitParams, { mode: "url" }>, answer: Answer): Card {
  return formCard(params, {
    onAccept: (content) => answer({ action: "accept", content: content as NonNullable<ElicitResult["content"]> }),
    onDecline: () => answer({ action: "decline" }),
    onCancel: () => answer({ action: "cancel" }),
  })
}

/** Shows the pages of the error -32042, with which the call ended. The call is repeated when the pages are done. */
export function promptFirst(attempt: Attempt, { elicitations }: UrlElicitationRequiredError): void {
  for (const { url, message } of elicitations)
    promptPage(attempt, { title: "The server wants you to open a page first (-32042)", message, url })
}

/** Shows the link in the result of a call. The server sends such links to clients without elicitation. */
export function promptByLink(attempt: Attempt, { content }: CallToolResult, url: string): void {
  const message = content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
  promptPage(attempt, { title: "The server answered with a link", message, url })
}

function promptPage(
  attempt: Attempt,
  page: { readonly title: string; readonly message: string; readonly url: string },
): void {
  attempt.stage.setStatus("The call ended. It is repeated when the page is done.")
  const card = visitCard({
    ...page,
    opened: "Finish in the window that opened, and try again.",
    onCancel: () => attempt.giveUp(),
    onRetry: attempt.retry,
  })
  attempt.show(card, page.url, attempt.retry)
}
