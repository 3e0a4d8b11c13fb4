// The script of the page /: which conversation is shown, which requests are offered next, and who is signed in.

const chat = document.querySelector("holdpoint-chat")
const timeline = document.querySelector("holdpoint-timeline")
const key = "holdpoint demo conversation"

/** Shows a conversation, and stores its id, so that every new tab of this browser shows the same one. */
function show(conversation) {
  localStorage.setItem(key, conversation)
  chat.setAttribute("conversation", conversation)
  if (!chat.hasAttribute("signed-out")) timeline.setAttribute("conversation", conversation)
}

show(localStorage.getItem(key) ?? crypto.randomUUID())
document.querySelector("#anew").addEventListener("click", () => show(crypto.randomUUID()))
chat.addEventListener("holdpoint-end", () => chat.setAttribute("suggestions", chat.dataset.next))
chat.addEventListener("holdpoint-signed-in", async () => {
  timeline.setAttribute("conversation", localStorage.getItem(key))
  const response = await fetch("/try/who")
  const { name } = await response.json()
  if (name !== null) document.querySelector("#who").textContent = `Signed in as ${name}`
})
