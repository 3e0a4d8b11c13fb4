// Notifications of new questions, for people who ask for them in this browser. They name the asker and nothing else: what
// is asked may be private, and a screen may be seen by others.

import { say } from "./countdown.js"

const key = "holdpoint.notifications"
/** How long a hidden tab waits for a visible tab to report that the person has seen the question. */
const seenMs = 500

const words = {
  on: "This browser tells you of new questions while an inbox is open in it.",
  off: "This browser no longer tells you of new questions.",
  blocked: "This browser blocks notifications from this page. Allow them in its settings for this site, and try again.",
  impossible: "This browser shows no notifications of a page.",
}

/**
 * Offers notifications to the person. Returns `arrived`, to call with each new question, and `ended`, to call with the
 * id of each ended question. `channel` connects the tabs of this browser.
 */
export function offerNotifications(status, channel) {
  const settings = openSettings()
  if (settings === undefined) return { arrived() {}, ended() {} }
  const notifications = new Map()
  const seen = new Set()
  const show = offerButton(status, settings)
  channel.addEventListener("message", ({ data }) => data.seen && seen.add(data.seen))
  return {
    arrived(item) {
      const id = item.dataset.question
      if (!document.hidden) return channel.postMessage({ seen: id })
      setTimeout(() => {
        if (seen.has(id) || settings.get() !== "on") return
        notifications.set(
          id,
          notify(item, () => show("blocked")),
        )
      }, seenMs)
    },
    ended(id) {
      notifications.get(id)?.close()
      notifications.delete(id)
    },
  }
}

/** Opens the stored setting. Undefined where pages cannot show notifications, or may not store anything. */
function openSettings() {
  if (!isSecureContext || window.Notification === undefined) return undefined
  try {
    const { localStorage } = window
    return {
      get: () => localStorage.getItem(key) ?? "off",
      set: (state) => localStorage.setItem(key, state),
    }
  } catch {
    // The person has forbidden this site to store anything.
    return undefined
  }
}

/**
 * Adds the button beside the heading, where it moves nothing else. Returns a function that stores a state of the
 * setting and shows a text about it.
 */
function offerButton(status, settings) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link" })
  const text = Object.assign(document.createElement("p"), { className: "quiet" })
  document.querySelector(".title").append(button)
  const render = () => {
    button.textContent = settings.get() === "on" ? "Stop notifying me here" : "Notify me here"
  }
  const show = (state) => {
    settings.set(state)
    render()
    text.textContent = words[state]
    status.after(text)
    say(words[state])
  }
  button.addEventListener("click", async () => show(settings.get() === "on" ? "off" : await switchOn()))
  // The person may change the setting in another tab.
  addEventListener("storage", (event) => event.key === key && render())
  render()
  return show
}

/**
 * Asks the person for permission, during their click, and shows a first notification: some browsers allow notifications
 * but cannot show any. Returns the new state of the setting.
 */
async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return "blocked"
  try {
    new Notification("You are told of new questions here", { tag: key })
    return "on"
  } catch {
    return "impossible"
  }
}

/**
 * Shows a notification of a question. All tabs use the same tag, so that the person sees only one. Calls `onBlocked` if
 * the browser reports an error, as it does when the person blocks notifications.
 */
function notify(item, onBlocked) {
  const { question } = item.dataset
  const heading = item.querySelector("h2 a")
  const notification = new Notification(heading.textContent, {
    body: "Open your inbox to answer.",
    tag: `holdpoint ${question}`,
  })
  notification.addEventListener("error", onBlocked)
  notification.addEventListener("click", () => {
    window.focus()
    notification.close()
    openQuestion(item, heading)
  })
  return notification
}

/** Shows a question to the person. The heading gets the focus, never a button: the Enter key must not answer. */
function openQuestion(item, heading) {
  if (!item.isConnected) return location.assign(heading.href)
  const form = item.querySelector("details:has(.buttons)")
  if (form !== null) form.open = true
  heading.focus()
}
