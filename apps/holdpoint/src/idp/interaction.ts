// The sign-in step: shows a button for each user, reads which one was pressed, and returns the result to the provider.

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Provider } from "oidc-provider"
import { sendErrorPage, sendSignInPage } from "./pages.ts"
import type { DemoUser } from "./users.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const mostBytes = 4_096

export function createInteraction(provider: Provider, users: readonly DemoUser[]): Answer {
  return async (request, response) => {
    // Throws without the cookie of the browser that started the sign-in.
    const { uid, prompt } = await provider.interactionDetails(request, response)
    const isOwnPath = new URL(request.url ?? "", "http://idp").pathname.endsWith(`/interaction/${uid}`)
    if (!isOwnPath || prompt.name !== "login") return sendErrorPage(response)
    if (request.method !== "POST") return sendSignInPage(response, { users })
    const form = isFromHere(request) ? await readForm(request) : undefined
    if (form === undefined) return sendErrorPage(response)
    if (form.has("cancel")) return provider.interactionFinished(request, response, { error: "access_denied" })
    const user = users.find(({ id }) => id === form.get("user"))
    if (user === undefined) return sendSignInPage(response, { users, isUnknown: true })
    return provider.interactionFinished(request, response, { login: { accountId: user.id, remember: false } })
  }
}

/** Whether a page of this server sent the form, by Sec-Fetch-Site: under our referrer policy, Origin is always null. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"]
  return site === undefined || site === "same-origin"
}

/** Undefined when the body is too long for this form. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
