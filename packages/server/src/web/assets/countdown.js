// Counts down the time that is left to answer, second by second in the last minute. A prompt looks expired when its
// time is over. The text that the person typed stays, so that they can copy it.

import { whenOffActs } from "./steady.mjs"

const minute = 60_000
const over = "The time to answer is over. Go back to the program that asked, and start again if it is still needed."

const announcer = document.createElement("p")
announcer.className = "sr"
announcer.setAttribute("aria-live", "polite")
document.body.append(announcer)

/** Starts a countdown at an element with `data-left`, the milliseconds that were left when the server sent it. */
export function countDown(timeLeft) {
  // The end is computed from the time left that the server sent, because the person's clock may be wrong.
  const endsAt = Date.now() + Number(timeLeft.dataset.left)
  const prompt = timeLeft.closest(".question") ?? document.getElementById("main")
  const tick = () => {
    if (!timeLeft.isConnected || prompt.classList.contains("expired")) return
    const left = endsAt - Date.now()
    if (left <= 0) return expire(prompt)
    showLeft(timeLeft, prompt, left)
    setTimeout(tick, left <= minute ? left % 1_000 || 1_000 : Math.min(left - minute, left % minute || minute))
  }
  tick()
}

function showLeft(timeLeft, prompt, left) {
  const words = timeLeft.querySelector("[data-words]")
  const seconds = Math.ceil(left / 1_000)
  if (seconds <= 60) {
    words.textContent = `in ${count(seconds, "second")}`
    lineOf(prompt).textContent = `${count(seconds, "second")} left to answer.`
    announce(prompt, "lastMinute", "One minute left to answer.")
  } else if (seconds < 3_570) words.textContent = `in ${count(Math.round(seconds / 60), "minute")}`
  else if (seconds < 48 * 3_600) words.textContent = `in ${count(Math.round(seconds / 3_600), "hour")}`
}

/** Makes a prompt look expired. */
export function expire(prompt) {
  const timeLeft = prompt.querySelector("[data-left]")
  const [verb] = timeLeft.children
  verb.textContent = verb.textContent.replace(/nds$/, "nded")
  timeLeft.querySelector("[data-words]").textContent = "just now"
  prompt.classList.add("expired")
  for (const button of prompt.querySelectorAll("form .buttons button")) button.disabled = true
  for (const link of prompt.querySelectorAll("form .buttons a")) link.removeAttribute("href")
  if (prompt.id === "main") document.body.classList.replace("hold", "stop")
  lineOf(prompt).textContent = over
  announce(prompt, "over", over)
}

/**
 * Returns the countdown line. It is below the buttons or the folded form, and appears when this moves no button under a
 * pointer.
 */
function lineOf(prompt) {
  const existingLine = prompt.querySelector(".countdown")
  if (existingLine !== null) return existingLine
  const line = document.createElement("p")
  line.className = "countdown"
  const buttons = prompt.querySelector("form .buttons")
  const folded = buttons?.closest("details:not([open])")
  ;(folded ?? buttons)?.after(line)
  line.hidden = true
  whenOffActs(() => line.removeAttribute("hidden"))
  return line
}

/** Announces a text to screen readers, once for each prompt and `what`. */
function announce(prompt, what, words) {
  if (prompt.dataset[what] !== undefined) return
  prompt.dataset[what] = ""
  say(words)
}

/** Announces a text to screen readers. */
export function say(words) {
  announcer.textContent = words
}

const count = (number, unit) => `${number} ${unit}${number === 1 ? "" : "s"}`
