// How a question ended, in words.

import type { ElicitationResolvedEvent } from "@holdpoint/sdk/stream"
import type { Say } from "./texts.ts"

/** `chosen` is what the person pressed on this page, if they did. */
export function endingWords(event: ElicitationResolvedEvent, say: Say, chosen: string | undefined): string {
  switch (event.status) {
    case "completed":
      return completedWords(event, say, chosen)
    case "declined":
      return chosen === undefined ? say("declined") : say("yesSaid", { answer: chosen })
    case "cancelled":
      return say("cancelled")
    case "expired":
      return say("expired")
    case "failed":
      return [say("questionFailed"), event.reason?.message ?? ""].join(" ").trim()
    case "unsupported":
      return say("unsupported")
  }
}

function completedWords({ mode, context }: ElicitationResolvedEvent, say: Say, chosen: string | undefined): string {
  if (mode === "form") return chosen === undefined ? say("answered") : say("yesSaid", { answer: chosen })
  if (typeof context.account === "string") return say("connectedAs", { account: context.account })
  return say(context.trigger === "credential_required" ? "connected" : "pageDone")
}
