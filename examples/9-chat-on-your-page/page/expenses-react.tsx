// The form with the assistant beside it, in React: the tool's result becomes state.

import { type ReactNode, useState } from "react"
import { createRoot } from "react-dom/client"
import { HoldpointChat, type HoldpointChatProps } from "./holdpoint-react.tsx"

const root = document.querySelector<HTMLElement>("#page")!
const none = { purpose: "", date: "", amount: "" }

// #region panel
function Expenses(): ReactNode {
  const [expense, setExpense] = useState(none)
  const fillIn: HoldpointChatProps["onTool"] = ({ toolName, output }) => {
    const { fields } = output as { readonly fields?: typeof none }
    if (toolName === "fill_in_form" && fields !== undefined) setExpense({ ...none, ...fields })
  }
  const field = (name: keyof typeof none, label: string, type: string): ReactNode => (
    <label>
      {label}
      <input
        {...{ name, type, value: expense[name] }}
        onChange={(event) => setExpense({ ...expense, [name]: event.target.value })}
      />
    </label>
  )
  return (
    <div className="beside">
      <form onSubmit={(event) => event.preventDefault()}>
        <h1>New expense</h1>
        {field("purpose", "Purpose", "text")}
        {field("date", "Date", "date")}
        {field("amount", "Amount", "number")}
      </form>
      <aside aria-label="Assistant">
        <HoldpointChat
          {...{ server: root.dataset.holdpoint ?? "", agent: "assistant", conversation: "expense-8" }}
          tokenUrl="/holdpoint-token?conversation=expense-8"
          onTool={fillIn}
        />
      </aside>
    </div>
  )
}
// #endregion

createRoot(root).render(<Expenses />)
