// A chat page as its author would write it: stock useChat, and a card for each question. Plain JavaScript, bundled by the
// test. The address says which conversation it shows, and whether it can show questions.

import { useChat } from "@ai-sdk/react"
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai"
import { createElement as h } from "react"
import { createRoot } from "react-dom/client"

const settings = new URLSearchParams(location.search)
const id = settings.get("id")
const headers = settings.has("plain") ? {} : { "x-supports-elicitation": "true" }

const button = (settings, words) => h("button", { type: "button", ...settings }, words)
const post = (path, body) =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
const answer = (elicitationId, given) =>
  post("/run/api/elicitation-responses", { conversationId: id, elicitationId, ...given })

function Question({ data }) {
  const { elicitationId, message, status, requestedSchema, context } = data
  const [field = ""] = Object.keys(requestedSchema?.properties ?? {})
  const accept = (value) => answer(elicitationId, { action: "accept", content: { [field]: value } })
  const buttons = [
    button({ key: "yes", onClick: () => accept(field === "confirmed" ? "yes" : "Rome") }, "Answer"),
    button({ key: "no", onClick: () => answer(elicitationId, { action: "decline", reason: "not today" }) }, "Refuse"),
  ]
  const words = `${context.agent ?? ""} ${message}`
  return h("section", { "data-status": status, "data-id": elicitationId }, words, status === "pending" ? buttons : null)
}

function Part({ part, approve }) {
  if (part.type === "text") return h("p", null, part.text)
  if (part.type === "data-elicitation") return h(Question, { data: part.data })
  if (part.type !== "dynamic-tool") return null
  const respond = (approved) => () => approve({ id: part.approval.id, approved, ...(approved ? {} : { reason: "no" }) })
  const isAsked = settings.has("plain") && part.state === "approval-requested"
  const buttons = [
    button({ key: "yes", onClick: respond(true) }, "Approve"),
    button({ key: "no", onClick: respond(false) }, "Deny"),
  ]
  return h("div", { className: "tool", "data-state": part.state }, part.toolName, isAsked ? buttons : null)
}

function Chat({ earlier }) {
  const { messages, sendMessage, status, error, stop, resumeStream, addToolApprovalResponse } = useChat({
    ...{ id, messages: earlier, resume: settings.has("resume") },
    transport: new DefaultChatTransport({ api: "/run/api/chat", headers }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const say = (event) => {
    event.preventDefault()
    sendMessage({ text: event.target.elements.words.value })
  }
  return h(
    "main",
    { "data-chat": status, "data-error": error?.message },
    messages.map((message) =>
      h(
        "article",
        { key: message.id, "data-role": message.role },
        message.parts.map((part, index) => h(Part, { key: index, part, approve: addToolApprovalResponse })),
      ),
    ),
    h(
      "form",
      { onSubmit: say },
      h("input", { name: "words", "aria-label": "Message" }),
      h("button", { type: "submit" }, "Send"),
    ),
    button({ onClick: stop }, "Leave"),
    button({ onClick: () => post(`/run/api/chat/${id}/stop`, {}) }, "Stop"),
    button({ onClick: () => resumeStream() }, "Resume"),
  )
}

const known = await fetch(`/run/api/conversations/${id}`)
const earlier = known.ok ? (await known.json()).messages : []
createRoot(document.getElementById("chat")).render(h(Chat, { earlier: settings.has("resume") ? earlier : [] }))
