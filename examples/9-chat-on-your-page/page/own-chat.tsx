// Your own chat with stock useChat of the AI SDK, against a Holdpoint on another origin. It uses only the widget's
// question card.

import { useChat } from "@ai-sdk/react"
import { createClient } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { DefaultChatTransport, type UIMessage } from "ai"
import type { FormEvent, ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { HoldpointQuestion } from "./holdpoint-react.tsx"

const root = document.querySelector<HTMLElement>("#page")!
const server = root.dataset.holdpoint ?? ""
const conversationId = crypto.randomUUID()

// #region transport
async function token(): Promise<string> {
  const response = await fetch("/holdpoint-token", { method: "POST" })
  const { token } = (await response.json()) as { readonly token: string }
  return token
}

const client = createClient({ url: server, token })

const transport = new DefaultChatTransport({
  api: `${server}/run/api/chat`,
  headers: async () => ({ authorization: `Bearer ${await token()}`, "x-supports-elicitation": "true" }),
  body: { agent: "assistant" },
})
// #endregion

// #region part
function Part({ part }: { readonly part: UIMessage["parts"][number] }): ReactNode {
  if (part.type === "text") return <p>{part.text}</p>
  if (part.type !== "data-elicitation" || !("data" in part)) return null
  return (
    <HoldpointQuestion
      question={part.data as StreamEvent}
      answer={(answer) => client.answer({ conversationId, ...answer })}
    />
  )
}
// #endregion

function OwnChat(): ReactNode {
  const { messages, sendMessage, status } = useChat({ id: conversationId, transport })
  const say = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void sendMessage({ text: String(new FormData(event.currentTarget).get("words")) })
    event.currentTarget.reset()
  }
  return (
    <>
      <h1>A chat of our own</h1>
      <div role="log" aria-busy={status === "submitted" || status === "streaming"}>
        {messages.map(({ id, role, parts }) => (
          <article key={id} aria-label={role}>
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added, or replaced in place.
              <Part key={index} part={part} />
            ))}
          </article>
        ))}
      </div>
      <form onSubmit={say}>
        <input name="words" aria-label="Message" />
        <button type="submit">Send</button>
      </form>
    </>
  )
}

createRoot(root).render(<OwnChat />)
