// Adds a copy button beside each line of text with the attribute data-copy.

import { h } from "./dom.ts"

export function addCopyButtons(): void {
  for (const line of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    const status = h("span", { role: "status", class: "sr" })
    const copy = h(
      "button",
      { type: "button", class: "copy", "aria-label": `Copy the line for ${line.dataset.copy}` },
      "Copy",
    )
    copy.addEventListener("click", async () => {
      const isDone = await navigator.clipboard.writeText(line.textContent ?? "").then(
        () => true,
        () => false,
      )
      copy.textContent = isDone ? "Copied" : "Select it by hand"
      status.textContent = copy.textContent
      setTimeout(() => {
        copy.textContent = "Copy"
        status.textContent = ""
      }, 2_000)
    })
    line.after(copy, status)
  }
}
