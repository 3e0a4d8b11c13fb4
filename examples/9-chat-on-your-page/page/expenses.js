// Puts what the assistant's tool gave into the form. When the person said no, there are no fields to put in.

const form = document.querySelector("#expense")

// #region tool
document.querySelector("holdpoint-chat").addEventListener("holdpoint-tool", ({ detail }) => {
  if (detail.toolName !== "fill_in_form") return
  for (const [name, value] of Object.entries(detail.output.fields ?? {})) form.elements[name].value = value
})
// #endregion

form.addEventListener("submit", (event) => {
  event.preventDefault()
  form.querySelector("[role=status]").textContent = "Saved. (This example keeps nothing.)"
})
