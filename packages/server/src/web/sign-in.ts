// The sign-in page: a link to each identity provider. Holdpoint itself asks for no password.

import { alert, page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import type { SignInView } from "./views.ts"

export function signInPage({ identityProviders, to, problem, demo }: SignInView): Html {
  return page(
    { title: "Sign in", state: "hold", width: "narrow" },
    html`<h1>Sign in</h1>
<p class="lead">${purposeOf(to)} Holdpoint has to know that it is you, so that no other person can answer in your name.</p>
${problem !== undefined && alert(html`<p>${problem}</p>`)}
<ul class="ways">${identityProviders.map(
      ({ name, href }, index) =>
        html`<li><a class="button ${index === 0 ? "primary" : ""}" href="${toHref(href)}">Continue with ${name}</a></li>`,
    )}</ul>
${demo && html`<div class="notice"><p><strong>For trying out only.</strong> The people alice and bob exist on this machine alone, and anyone here can sign in as either. Not for production.</p></div>`}`,
  )
}

/** The reason to sign in, without details that only the question's audience may see. */
function purposeOf(target: string): string {
  if (target.startsWith("connect:")) return "You were asked to connect an account."
  if (target.startsWith("authorize:")) return "A program asks to act in your name."
  return target.startsWith("inbox:") ? "A program is waiting for your answer." : ""
}
