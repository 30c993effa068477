// What funding by transfer is, what it costs and how long it takes.
import { Panel } from '~/ui/page.tsx'
import styles from './fund.module.css'

export function HowItWorks() {
  return (
    <Panel title="How it works">
      <ol className={styles.how}>
        <li>Create an invoice for whole US dollars, at least 10.</li>
        <li>Before it expires, send exactly its amount in USDT to its address on the TRON network.</li>
        <li>
          The amount, less a fee of 1.5%, reaches the card account once the network has confirmed the payment, usually
          in a minute or two.
        </li>
      </ol>
      <p className="muted">Only one invoice can be open or in review at a time.</p>
    </Panel>
  )
}
