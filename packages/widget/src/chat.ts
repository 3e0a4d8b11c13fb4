// `<holdpoint-chat>`: a conversation with an agent, whose questions are cards in its replies.

import type { Client } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { createAnnouncer } from "./announcer.ts"
import { createComposer } from "./composer.ts"
import { connect } from "./connection.ts"
import { createConversation } from "./conversation.ts"
import { deepActiveElement, h } from "./dom.ts"
import type { ElementKind, ElementView, WidgetHost } from "./element.ts"
import { emit } from "./element.ts"
import { wordingOf } from "./host-wording.ts"
import { createMessageList } from "./message-list.ts"
import { type CardAnswer, createQuestionCard, type QuestionCard } from "./question-card.ts"
import { isSignedOut } from "./refusals.ts"
import { createSharedStream, openSharedEvents } from "./shared-stream.ts"
import { createSignIn, type SignIn } from "./sign-in.ts"
import { applyStyle } from "./style.ts"
import { createSuggestions, suggestionsOf } from "./suggestions.ts"

export const chatKind: ElementKind = {
  tag: "holdpoint-chat",
  attributes: ["server", "agent", "conversation", "lang", "heading-level", "token-url", "suggestions"],
  properties: ["token", "texts", "suggestions"],
  open(host, root) {
    let view = openChat(host, root)
    let isDue = false
    return {
      changed(name) {
        if (name === "suggestions") return view.changed(name)
        if (isDue) return
        isDue = true
        // Once for all attributes that a page sets in a row.
        queueMicrotask(() => {
          isDue = false
          if (!host.isConnected) return
          view.close()
          view = openChat(host, root)
        })
      },
      close: () => view.close(),
    }
  },
}

function openChat(host: WidgetHost, root: ShadowRoot): ElementView {
  const wording = wordingOf(host)
  const { say } = wording
  const conversationId = conversationOf(host)
  const { client, now, streamName } = connect(host, (isReached) => composer.setLost(!isReached))
  const events = openSharedEvents(streamName(conversationId), client)
  const { element: live, announce } = createAnnouncer()
  const list = createMessageList(say("log"))
  const welcome = h("slot", { name: "welcome" })
  let signIn: SignIn | undefined

  const createCard = (event: StreamEvent): QuestionCard => {
    const { elicitationId } = event
    const answer = async (given: CardAnswer): Promise<void> => {
      await client.answer({ conversationId, elicitationId, ...given })
      emit(host, "holdpoint-answer", { conversationId, elicitationId, action: given.action })
    }
    return createQuestionCard(event, { ...wording, now, announce, answer })
  }
  const conversation = createConversation({
    ...{ say, list, createCard, chat: client.chat(conversationId) },
    source: createSharedStream({ client, events, agent: host.getAttribute("agent") ?? undefined }),
    onQuestion(question, card) {
      announce(`${say("question")}: ${question.message}`)
      emit(host, "holdpoint-question", { conversationId, question })
      queueMicrotask(() => {
        card.element.scrollIntoView({ block: "nearest" })
        if (mayTakeFocus(host)) card.focus()
      })
    },
    onTool: (result) => emit(host, "holdpoint-tool", { conversationId, ...result }),
    onEnd(status, text) {
      announce(text || say("ended"))
      emit(host, "holdpoint-end", { conversationId, status })
    },
    onLost: (isLost) => composer.setLost(isLost),
    onSignedOut: (text) => showSignIn(text).focus(),
    onChange: show,
  })
  const send = (text: string): void => {
    // Inside the click: later the browser would block the window.
    if (host.hasAttribute("signed-out") && host.hasAttribute("sign-in")) showSignIn(text).open()
    else conversation.send(text)
  }
  const composer = createComposer({ say, onSend: send, onStop: conversation.stop, isAsking: conversation.isAsking })
  const suggestions = createSuggestions(say("suggestions"), send)

  /** The message is kept, and sent when the person has signed in. */
  function showSignIn(text: string): SignIn {
    signIn?.close()
    const address = new URL(host.getAttribute("sign-in") ?? "", location.href).href
    const made = createSignIn({
      ...{ ...wording, address, isSignedIn: () => isSignedIn(client) },
      onSignedIn() {
        signIn = undefined
        host.removeAttribute("signed-out")
        emit(host, "holdpoint-signed-in", {})
        void conversation.load().then(() => conversation.send(text))
      },
    })
    signIn = made
    list.append(made.element)
    list.toEnd()
    show()
    return made
  }
  function show(): void {
    const isBusy = conversation.isUnderWay()
    const reason = isBusy ? say(conversation.isAsking() ? "waitForAnswer" : "waitForReply") : undefined
    composer.setBusy(reason)
    welcome.hidden = !conversation.isEmpty() || signIn !== undefined
    const texts = isBusy || signIn !== undefined ? [] : suggestionsOf(host)
    suggestions.show(texts)
    list.append(suggestions.element)
  }
  applyStyle(root)
  root.replaceChildren(h("div", { class: "chat", part: "chat" }, welcome, list.element, composer.element, live))
  // Without a person there is nothing to load, and every request would be refused.
  if (host.hasAttribute("signed-out")) show()
  else void conversation.load()
  return {
    changed: show,
    close() {
      conversation.close()
      events.close()
      signIn?.close()
      list.close()
    },
  }
}

/** The conversation of the attribute, or the last one of this tab. */
function conversationOf(host: HTMLElement): string {
  const named = host.getAttribute("conversation")
  if (named !== null && named !== "") return named
  const key = `holdpoint-chat ${host.id}`
  const known = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, known)
  return known
}

/** A question takes the focus only from the chat itself, and never from a person who is writing or answering. */
function mayTakeFocus(host: HTMLElement): boolean {
  const at = deepActiveElement()
  if (at === null || at === document.body) return true
  const isHere = at === host || at.getRootNode() === host.shadowRoot
  if (!isHere || at.closest(".card") !== null) return false
  return !(at instanceof HTMLTextAreaElement && at.value !== "")
}

async function isSignedIn(client: Client): Promise<boolean> {
  try {
    await client.elicitations()
    return true
  } catch (error) {
    if (isSignedOut(error)) return false
    throw error
  }
}
