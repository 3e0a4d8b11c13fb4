// `<holdpoint-chat>`: a conversation with an agent, whose questions are cards in its replies.

import type { Client } from "@holdpoint/client"
import { whenOffActs } from "@holdpoint/hub/forms"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { createAnnouncer } from "./announcer.ts"
import type { CardAnswer } from "./card-body.ts"
import { createComposer } from "./composer.ts"
import { connect } from "./connection.ts"
import { createConversation } from "./conversation.ts"
import { deepActiveElement, h } from "./dom.ts"
import type { ElementKind, ElementView, WidgetHost } from "./element.ts"
import { emit } from "./element.ts"
import { wordingOf } from "./host-wording.ts"
import { createMessageList } from "./message-list.ts"
import { createQuestionCard, type QuestionCard } from "./question-card.ts"
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
    let isReopenDue = false
    return {
      changed(name) {
        if (name === "suggestions") return view.changed(name)
        if (isReopenDue) return
        isReopenDue = true
        // Opens the chat once for all attributes that a page sets in a row.
        queueMicrotask(() => {
          isReopenDue = false
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
  const { translate } = wording
  const conversationId = conversationOf(host)
  const { client, now, streamName } = connect(host, (isReached) => composer.setLost(!isReached))
  const events = openSharedEvents(streamName(conversationId), client)
  const { element: liveRegion, announce } = createAnnouncer()
  const list = createMessageList(translate("log"))
  const welcome = h("slot", { name: "welcome" })
  let signIn: SignIn | undefined

  const createCard = (event: StreamEvent): QuestionCard => {
    const { elicitationId } = event
    const answer = async (cardAnswer: CardAnswer): Promise<void> => {
      await client.answer({ conversationId, elicitationId, ...cardAnswer })
      emit(host, "holdpoint-answer", { conversationId, elicitationId, action: cardAnswer.action })
    }
    return createQuestionCard(event, { ...wording, now, announce, answer })
  }
  const conversation = createConversation({
    ...{ translate, list, createCard, chat: client.chat(conversationId) },
    source: createSharedStream({ client, events, agent: host.getAttribute("agent") ?? undefined }),
    onQuestion(question, card) {
      announce(`${translate("question")}: ${question.message}`)
      emit(host, "holdpoint-question", { conversationId, question })
      queueMicrotask(() => {
        whenOffActs(() => card.element.scrollIntoView({ block: "nearest" }))
        if (mayTakeFocus(host)) card.focus()
      })
    },
    onTool: (result) => emit(host, "holdpoint-tool", { conversationId, ...result }),
    onEnd(status, text) {
      announce(text || translate("ended"))
      emit(host, "holdpoint-end", { conversationId, status })
    },
    onLost: (isLost) => composer.setLost(isLost),
    onSignedOut: (text) => showSignIn(text).focus(),
    onChange: show,
  })
  const send = (text: string): void => {
    // The sign-in window opens inside the click: later the browser would block it.
    if (host.hasAttribute("signed-out") && host.hasAttribute("sign-in")) showSignIn(text).open()
    else conversation.send(text)
  }
  const composer = createComposer({
    translate,
    onSend: send,
    onStop: conversation.stop,
    isAsking: conversation.isAsking,
  })
  const suggestions = createSuggestions(translate("suggestions"), send)

  /** Shows the sign-in card. Sends the message after the person has signed in. */
  function showSignIn(text: string): SignIn {
    signIn?.close()
    const address = new URL(host.getAttribute("sign-in") ?? "", location.href).href
    const card = createSignIn({
      ...{ ...wording, address, isSignedIn: () => isSignedIn(client) },
      onSignedIn() {
        signIn = undefined
        host.removeAttribute("signed-out")
        emit(host, "holdpoint-signed-in", {})
        void conversation.load().then(() => conversation.send(text))
      },
    })
    signIn = card
    list.append(card.element)
    list.scrollToEnd()
    show()
    return card
  }
  function show(): void {
    const isBusy = conversation.isUnderWay()
    const reason = isBusy ? translate(conversation.isAsking() ? "waitForAnswer" : "waitForReply") : undefined
    composer.setBusy(reason)
    welcome.hidden = !conversation.isEmpty() || signIn !== undefined
    const texts = isBusy || signIn !== undefined ? [] : suggestionsOf(host)
    suggestions.show(texts)
    list.append(suggestions.element)
  }
  applyStyle(root)
  root.replaceChildren(h("div", { class: "chat", part: "chat" }, welcome, list.element, composer.element, liveRegion))
  // A signed-out person has nothing to load, and the server would refuse every request.
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

/** The conversation id of the attribute, else the one that this tab used last, else a new one. */
function conversationOf(host: HTMLElement): string {
  const attribute = host.getAttribute("conversation")
  if (attribute !== null && attribute !== "") return attribute
  const key = `holdpoint-chat ${host.id}`
  const storedId = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, storedId)
  return storedId
}

/** Whether a new question may take the focus: never from outside the chat, or from a person who is writing. */
function mayTakeFocus(host: HTMLElement): boolean {
  const active = deepActiveElement()
  if (active === null || active === document.body) return true
  const isInChat = active === host || active.getRootNode() === host.shadowRoot
  if (!isInChat || active.closest(".card") !== null) return false
  return !(active instanceof HTMLTextAreaElement && active.value !== "")
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
