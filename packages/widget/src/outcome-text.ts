// The text that tells the person how a question ended.

import type { ElicitationResolvedEvent } from "@holdpoint/hub/stream"
import type { Translate } from "./texts.ts"

/** `chosenText` is the text of the button that the person pressed on this page, or "" for the fields of a form. */
export function outcomeText(
  event: ElicitationResolvedEvent,
  translate: Translate,
  chosenText: string | undefined,
): string {
  const { status, reason, mode, context } = event
  switch (status) {
    case "completed":
      if (mode === "form") return chosenText ? translate("chosen", { answer: chosenText }) : translate("answered")
      if (typeof context.account === "string") return translate("connectedAs", { account: context.account })
      return translate(context.trigger === "credential_required" ? "connected" : "pageDone")
    case "declined":
      return chosenText ? translate("chosen", { answer: chosenText }) : translate("declined")
    case "cancelled":
      return translate("withdrawn")
    case "expired":
      return translate("expired")
    case "failed":
      return [translate("questionFailed"), reason?.message ?? ""].join(" ").trim()
    case "unsupported":
      return translate("unsupported")
  }
}
