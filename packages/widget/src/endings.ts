// How a question ended, in words.

import type { ElicitationResolvedEvent } from "@holdpoint/sdk/stream"
import type { Say } from "./texts.ts"

/** `chosen` is what the person pressed on this page: a button's text, or "" for the fields of a form. */
export function endingWords(event: ElicitationResolvedEvent, say: Say, chosen: string | undefined): string {
  const { status, reason, mode, context } = event
  switch (status) {
    case "completed":
      if (mode === "form") return chosen ? say("chosen", { answer: chosen }) : say("answered")
      if (typeof context.account === "string") return say("connectedAs", { account: context.account })
      return say(context.trigger === "credential_required" ? "connected" : "pageDone")
    case "declined":
      return chosen ? say("chosen", { answer: chosen }) : say("declined")
    case "cancelled":
      return say("withdrawn")
    case "expired":
      return say("expired")
    case "failed":
      return [say("questionFailed"), reason?.message ?? ""].join(" ").trim()
    case "unsupported":
      return say("unsupported")
  }
}
