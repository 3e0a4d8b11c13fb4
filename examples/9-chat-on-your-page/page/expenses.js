// Fills the form with the result of the assistant's tool. After a No, the result has no fields.

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
