// The chat as a part of a server: its outlet, a section of the account page with a page behind its button, and the route to
// which the chat sends presses.

import { createHmac, timingSafeEqual } from "node:crypto"
import { isSamePerson, type PrincipalId } from "@holdpoint/hub"
import { csrfField, html, type Part, page, posted, toPage, toTop } from "@holdpoint/server/parts"
import { type Chat, createChatOutlet, yesOrNoOf } from "./outlet.ts"

export interface ChatPart extends Omit<Chat, "pageOf"> {
  /** The person of each chat account. In production people link their own, after signing in, as in docs/slack.md. */
  readonly people: Readonly<Record<string, PrincipalId>>
}

interface Press {
  readonly user: string
  readonly about: string
  readonly isYes: boolean
}

/** The chat at this address. It signs the presses that it sends to `/chat/presses` with the token of your bot. */
export const chat = ({ url, token, people }: ChatPart): Part => ({
  name: "chat",
  title: "Chat",
  open({ hub, addresses }) {
    const accountsOf = (person: PrincipalId) =>
      Object.entries(people).flatMap(([account, owner]) => (isSamePerson(owner, person) ? [account] : []))

    /** The signature proves who pressed. The hub believes `by`, and judges whether they may answer. */
    async function takePress(body: string, signature: string): Promise<string> {
      const [actual, expected] = [Buffer.from(signature, "hex"), createHmac("sha256", token).update(body).digest()]
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return "forged"
      const { user, about, isYes } = (await new Response(body).json()) as Press
      const [by, question] = [people[user], await hub.get(about)]
      const content = question && yesOrNoOf(question)?.answers[isYes ? "yes" : "no"]
      if (by === undefined || content === undefined) return "This is not your button."
      const answered = await hub.answer(about, { by, via: "chat", action: "accept", content })
      return answered.ok ? "Thank you." : answered.refusal.message
    }

    return {
      outlet: createChatOutlet({ url, token, pageOf: (id) => addresses.to("/inbox/:id", id) }),
      directory: {
        addresses: async (kind, person) => (kind === "chat" ? accountsOf(person) : []),
        people: async () => [],
      },
      pages: [
        {
          method: "POST",
          path: "/account/chat",
          route: (visit) =>
            posted(visit, async (guest) => {
              const frame = { title: "Chat", state: "calm", width: "narrow", viewer: toTop(visit.site, guest) } as const
              return toPage(page(frame, html`<h1>Your accounts</h1><p>${accountsOf(guest.principal).join(", ")}</p>`))
            }),
        },
      ],
      accountSection: async (_site, { csrf }) => html`<section aria-labelledby="chat"><h2 id="chat">Chat</h2>
<form method="post" action="/account/chat">${csrfField(csrf)}<button>Show my accounts</button></form></section>`,
      mount: () => ({
        handles: (path) => path === "/chat/presses",
        fetch: async (request) =>
          new Response(await takePress(await request.text(), request.headers.get("x-signature") ?? "")),
        close: async () => {},
      }),
    }
  },
})
