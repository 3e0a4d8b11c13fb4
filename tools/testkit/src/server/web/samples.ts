// One view for each page and for each way it can look, as people would see it.

import { choice, choices, date, dateTime, email, form, integer, number, text, uri, yesNo } from "@holdpoint/hub"
import {
  type AccountView,
  accountPage,
  answeredPage,
  authorizePage,
  type ConnectView,
  confirmAccountPage,
  confirmDisconnectPage,
  confirmedPage,
  connectPage,
  donePage,
  endedPage,
  errorPage,
  inboxPage,
  leavingPage,
  providerRedirectPage,
  type QuestionOf,
  questionPage,
  shownElsewherePage,
  signedOutPage,
  signInPage,
  takenLinkPage,
  unknownBrowserPage,
  unusableLinkPage,
  type VisitView,
  visitedPage,
  visitPage,
  waitingPage,
} from "@holdpoint/server/internal"
import { answeredAt } from "./answered.ts"
import { askedAt } from "./asked.ts"
import { authorizingAt } from "./authorizing.ts"
import { keysAt } from "./keys.ts"
import { reachSamples } from "./reach.ts"
import { type Sample, sample } from "./sample.ts"
import { slackSamples } from "./slack.ts"
import { timelineAt, timelineSamples } from "./timeline.ts"
import { votedAt } from "./voted.ts"
import { webhooksAt } from "./webhooks.ts"

export const now = Date.UTC(2026, 0, 31, 9, 30)
const minute = 60_000
const day = 24 * 60 * minute
const who = { signedInAs: "alice@example.com", csrf: "c5rf" }
const authorizing = authorizingAt(now, who)
const { asking, justMade } = keysAt(now)
const { question, approval, editable } = askedAt(now)
const refusedBrowser = { csrf: who.csrf, to: "connect:7f3a" }

export const everyField = form(
  {
    title: text({ title: "Name of the trip", minLength: 3, maxLength: 60, default: "Spring meeting in Lyon" }),
    notes: text({ title: "Notes", description: "Shown to everybody who travels.", maxLength: 2_000 }),
    contact: email({ title: "Contact", description: "Who is called when a train is late." }),
    page: uri({ title: "Programme" }),
    from: date({ title: "First day", default: "2026-04-14" }),
    leave: dateTime({ title: "Departure", default: "2026-04-14T06:45:00Z" }),
    budget: number({ title: "Budget per person, in euro", minimum: 0, maximum: 2_500, default: 420.5 }),
    people: integer({ title: "Travellers", minimum: 1, maximum: 12, default: 4 }),
    carriage: choice({ first: "First", second: "Second" }, { title: "Class", default: "second" }),
    city: choice(["Basel", "Dijon", "Genève", "Grenoble", "Lausanne", "Lyon"], { title: "Stop on the way" }),
    meals: choices({ breakfast: "Breakfast", lunch: "Lunch", dinner: "Dinner" }, { title: "Meals", maxItems: 2 }),
    insured: yesNo({ title: "Insure the tickets", description: "Adds 4 % to the price.", default: true }),
  },
  { optional: ["notes", "page", "city", "meals"] },
)

const trip = question(
  "7f3a",
  "I have found trains for the spring meeting. Please check the details before I book them.",
  {
    mode: "form",
    requestedSchema: everyField,
  },
)

const link = question("a0de", "The calendar tool needs your Nextcloud account to look for a free afternoon.", {
  mode: "url",
  requester: { id: "calendar", name: "Calendar helper" },
  url: "https://hold.example.com/connect/a0de",
  popup: true,
})

const foreign = question("b1cd", "Please pay the invoice of the hotel.", {
  mode: "url",
  requester: { id: "invoices", name: "Invoice robot" },
  url: "https://pay.hotel.example/invoice/2f9c",
})

const toItem = (elicitation: QuestionOf) => ({
  elicitation,
  href: `/inbox/${elicitation.id}`,
  action: `/inbox/${elicitation.id}`,
})
/** What the inbox shows, each under its own name. */
export const items = { trip: toItem(trip), approval: toItem(approval), link: toItem(link), foreign: toItem(foreign) }

export const connect: ConnectView = {
  ...who,
  now,
  id: "a0de",
  action: "/connect/a0de",
  provider: { name: "Nextcloud", host: "cloud.example.com" },
  requester: { name: "Calendar helper" },
  client: { name: "Relay Chat" },
  message: "I need your calendar to look for a free afternoon.",
  scopes: [
    { scope: "calendar.read", words: "See your calendars" },
    { scope: "calendar.write", words: "Add and change events", isNew: true },
  ],
  shown: "of-two-scopes",
  kind: "oauth",
  expiresAt: now + 9 * minute,
}

export const visit: VisitView = {
  ...who,
  now,
  id: "b1cd",
  action: "/visit/b1cd",
  statusUrl: "/visit/b1cd/status",
  requester: { name: "Invoice robot" },
  client: { name: "Relay Chat" },
  message: "The hotel in Lyon wants a deposit of 180 € before it keeps the rooms.",
  address: "https://pay.hotel.example/invoice/2f9c?lang=en",
  expiresAt: now + 4 * minute,
}

export const account: AccountView = {
  ...who,
  now,
  connections: [
    {
      id: "c1",
      provider: { name: "Nextcloud" },
      account: "alice@cloud.example.com",
      scopes: [
        { scope: "calendar.read", words: "See your calendars" },
        { scope: "calendar.write", words: "Add and change events" },
      ],
      status: "active",
      connectedAt: now - 40 * day,
      lastUsedAt: now - 12 * minute,
      narrow: {
        action: "/account/connections/c1/narrow",
        scopes: [
          { scope: "calendar.read", words: "See your calendars" },
          { scope: "calendar.write", words: "Add and change events" },
        ],
      },
      disconnect: "/account/connections/c1/disconnect",
    },
    {
      id: "c2",
      provider: { name: "GitHub" },
      account: "alice-codes",
      scopes: [{ scope: "repo", words: "Read and change your repositories" }],
      status: "needs_reauth",
      reason: "GitHub no longer accepts this connection. Connect again to go on using it.",
      connectedAt: now - 200 * day,
      lastUsedAt: now - 2 * day,
      disconnect: "/account/connections/c2/disconnect",
      reconnect: "/account/connections/c2/reconnect",
    },
    {
      id: "c3",
      provider: { name: "Weather service" },
      hint: "4f2a",
      scopes: [],
      status: "active",
      connectedAt: now - 3 * day,
      disconnect: "/account/connections/c3/disconnect",
    },
  ],
  programs: authorizing.programs,
  sessions: [
    { id: "s1", agent: "Firefox on Linux", createdAt: now - 2 * day, seenAt: now, current: true, end: "/account/s1" },
    {
      ...{ id: "s2", agent: "Safari on iPhone", createdAt: now - 6 * day, seenAt: now - day },
      ...{ current: false, end: "/account/s2" },
    },
  ],
  history: [
    {
      at: now - minute,
      words: "You said “Delete” to “Delete it?”",
      detail: "Asked by Notes.",
      href: "/inbox/q",
      timeline: "/inbox/q/timeline",
    },
    { at: now - 2 * day, words: "You signed in", detail: "Firefox on Linux" },
    { at: now - 3 * day, words: "You connected Weather service" },
  ],
  signOutEverywhere: "/account/signout",
}

const projects = {
  connections: [{ ...account.connections[2]!, id: "c4", project: "Spring meeting", provider: { name: "Slack" } }],
  providers: ["Slack", "Linear"].map((name) => ({ id: name.toLowerCase(), name })),
  action: "/account/projects",
}

const wrong = {
  title: "No",
  contact: "alice at example",
  leave: "2026-04-14T06:45:00Z",
  people: 40,
  meals: ["lunch"],
  insured: false,
}
const complaints = [
  { path: "title", message: "Name of the trip must have at least 3 characters." },
  { path: "contact", message: "Contact must be an email address, such as name@example.com." },
  { path: "people", message: "Travellers must be at most 12." },
  { path: "carriage", message: "Class is missing; please fill it in." },
]

const answered = answeredAt(now, who)
const { afterAnswer } = answered.here
const inbox = { ...who, now, eventsUrl: "/inbox/events", streamName: "inbox" }
const back = { href: "/return/relay", name: "Relay Chat" }
const cloud = { name: "Nextcloud", host: "cloud.example.com" }
const local = [{ id: "local", name: "the built-in sign-in", href: "/signin/local" }]
const waiting = {
  ...{ ...who, now, id: "a0de", provider: cloud, expiresAt: now + 19 * minute },
  ...{ action: "/connect/a0de", statusUrl: "/connect/a0de/status" },
}

export const samples: Readonly<Record<string, Sample>> = {
  "sign-in": sample(signInPage, {
    identityProviders: [
      { id: "work", name: "Example Works", href: "/signin/work" },
      { id: "google", name: "Google", href: "/signin/google" },
    ],
    to: "connect:a0de",
  }),
  "sign-in-demo": sample(signInPage, {
    identityProviders: local,
    to: "inbox",
    demo: true,
    problem: "The sign-in did not work out: it took too long. Please try again.",
  }),
  connect: sample(connectPage, connect),
  "connect-offers": sample(connectPage, {
    ...connect,
    offers: [
      { scope: "write", words: "Create and change issues" },
      { scope: "comments:create", words: "Comment on issues" },
    ],
  }),
  "connect-again": sample(connectPage, {
    ...connect,
    problem: "You said no at Nextcloud.",
    account: "alice@cloud.example.com",
    owner: "Spring meeting",
    code: "KTR-492",
  }),
  "connect-more": sample(connectPage, {
    ...connect,
    account: "alice@cloud.example.com",
    kind: "login_flow",
    widens: true,
    isChanged: true,
  }),
  "connect-lost": sample(connectPage, {
    ...connect,
    message: "Calendar helper asks you to connect Nextcloud again.",
    account: "alice@cloud.example.com",
    lost: "Nextcloud no longer accepts the access it granted (the app password was deleted there, the password was changed, or the account is disabled).",
  }),
  "connect-key": sample(connectPage, {
    ...connect,
    kind: "api_key",
    provider: { name: "Weather service", host: "api.weather.example" },
    message: "I need a key to look up the forecast for Lyon.",
    scopes: [],
    help: { words: "You find it under Settings, Keys.", url: "https://weather.example/settings" },
    problems: [{ field: "key", message: "Weather service refused this key. Please check it and try again." }],
  }),
  "connect-basic": sample(connectPage, { ...connect, kind: "basic", username: "alice", scopes: [] }),
  waiting: sample(waitingPage, { ...waiting, login: "https://cloud.example.com/login/v2/flow/x" }),
  "waiting-code": sample(waitingPage, {
    ...waiting,
    login: "https://cloud.example.com/login/v2/flow/x",
    code: "KXQ-A7C",
  }),
  "waiting-answered": sample(waitingPage, waiting),
  "confirm-account": sample(confirmAccountPage, {
    ...who,
    now,
    provider: cloud,
    before: "alice@cloud.example.com",
    after: "bob@cloud.example.com",
    action: "/connect/a0de/account",
  }),
  "confirm-own-account": sample(confirmAccountPage, {
    ...who,
    now,
    provider: cloud,
    after: "Bob Example (bob@cloud.example.com)",
    owner: { name: "Alice (alice@example.com)", isOther: true },
    action: "/connect/a0de",
  }),
  done: sample(donePage, {
    provider: cloud,
    afterAnswer,
    account: "alice@cloud.example.com",
    returnTo: back,
  }),
  "done-popup": sample(donePage, {
    provider: cloud,
    afterAnswer,
    account: "alice@cloud.example.com",
    popup: { origin: "https://hold.example.com", id: "a0de", status: "completed" },
  }),
  authorize: sample(authorizePage, authorizing.document),
  "authorize-local": sample(authorizePage, authorizing.local),
  "authorize-unknown": sample(authorizePage, authorizing.unknown),
  visit: sample(visitPage, visit),
  "visit-careful": sample(visitPage, {
    ...visit,
    address:
      "https://xn--pypal-4ve.example:8443/login/paypal.example/invoice/0123456789/0123456789/0123456789?from=mail",
    code: "KTR-492",
    isLocal: true,
  }),
  "visit-begun": sample(visitedPage, visit),
  "visit-leaving": sample(leavingPage, { address: visit.address }),
  "visit-done": sample(confirmedPage, { requester: visit.requester, afterAnswer, returnTo: back }),
  "refused-expired": sample(endedPage, {
    title: "This request has expired",
    words: "The time to say yes was over at 09:20. Nothing was connected. Ask Calendar helper to try once more.",
    returnTo: back,
  }),
  "refused-used": sample(endedPage, {
    title: "This link was already used",
    words: "You connected Nextcloud with it four minutes ago. There is nothing left to do.",
  }),
  "refused-declined": sample(endedPage, {
    title: "You said no",
    words: "Nothing was connected, and Calendar helper has been told.",
    returnTo: back,
  }),
  "refused-failed": sample(endedPage, {
    title: "Nextcloud could not be connected",
    words: "Nextcloud did not answer in time. Nothing was stored. You can try again until 09:39.",
  }),
  "refused-link": sample(unusableLinkPage, {}),
  "refused-browser": sample(unknownBrowserPage, refusedBrowser),
  "refused-taken": sample(takenLinkPage, refusedBrowser),
  "shown-elsewhere": sample(shownElsewherePage, {}),
  inbox: sample(inboxPage, { ...inbox, items: [items.link, items.approval, items.trip, items.foreign] }),
  "inbox-empty": sample(inboxPage, { ...inbox, items: [] }),
  question: sample(questionPage, {
    ...{ ...who, now, elicitation: trip, action: "/inbox/7f3a", timeline: "/inbox/7f3a/timeline" },
  }),
  "question-problems": sample(questionPage, {
    ...who,
    now,
    elicitation: trip,
    action: "/inbox/7f3a",
    values: wrong,
    problems: complaints,
  }),
  "question-yes-no": sample(questionPage, { ...who, now, elicitation: approval, action: "/inbox/91bc" }),
  ...votedAt(now, { ...who, elicitation: approval }),
  "question-yes-no-fields": sample(questionPage, { ...who, now, elicitation: editable, action: "/inbox/c2ef" }),
  "question-link": sample(questionPage, { ...who, now, elicitation: foreign, action: "/inbox/b1cd" }),
  answered: sample(answeredPage, answered.here),
  "answered-again": sample(answeredPage, answered.again),
  "answered-too-late": sample(answeredPage, answered.tooLate),
  "answered-elsewhere": sample(answeredPage, answered.elsewhere),
  ...timelineSamples(timelineAt(now, who)),
  account: sample(accountPage, account),
  "account-admin": sample(accountPage, { ...account, projects, asking, notice: "GitLab was disconnected." }),
  "account-key": sample(accountPage, { ...account, asking: justMade }),
  ...slackSamples(account),
  ...webhooksAt(now, who, account),
  "account-empty": sample(accountPage, { ...account, connections: [], history: [] }),
  ...reachSamples(now, account),
  "confirm-disconnect": sample(confirmDisconnectPage, { ...who, connection: account.connections[0]! }),
  error: sample(errorPage, { title: "Something went wrong here", words: "Try again in a moment." }),
  depart: sample(providerRedirectPage, { provider: cloud, href: "https://cloud.example.com/authorize?state=x" }),
  "signed-out": sample(signedOutPage, { signOutAddress: "https://id.example.com/logout" }),
}
