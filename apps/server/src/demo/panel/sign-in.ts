// Who is signed in in this browser, and signing in, in a window of its own.

import { visitCard } from "./cards.ts"
import type { Stage } from "./stage.ts"

export async function who(): Promise<string | undefined> {
  const response = await fetch("/try/who")
  const { name } = (await response.json()) as { readonly name: string | null }
  return name ?? undefined
}

const lookEveryMs = 500

/** Asks for it once, however many requests wait for it. Rejects when the person does not want to. */
export function createSignIn(stage: Stage): (stopped: AbortSignal | undefined) => Promise<void> {
  let waiting: Promise<void> | undefined
  return (stopped) => {
    waiting ??= signIn(stage, stopped).finally(() => {
      waiting = undefined
    })
    return waiting
  }
}

function signIn(stage: Stage, stopped: AbortSignal | undefined): Promise<void> {
  stage.say("Waiting for you to sign in …")
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearInterval(timer)
      card.element.remove()
      card.close()
      settle()
    }
    const refuse = (): void => end(() => reject(new Error("You did not sign in, so nothing was called.")))
    const card = visitCard({
      title: "Sign in first",
      message: "Nobody is signed in here. You can be alice or bob; the password of both is “holdpoint”.",
      url: new URL("/signin?to=account", location.href).href,
      openWords: "Sign in",
      opened: "Sign in, in the window that opened. The call goes on by itself.",
      onCancel: refuse,
    })
    const timer = setInterval(async () => {
      if ((await who().catch(() => undefined)) !== undefined) end(resolve)
    }, lookEveryMs)
    stopped?.addEventListener("abort", refuse)
    stage.show(card.element)
  })
}
