// What funding by transfer is, what it costs and how long it takes.
import { Panel } from '~/ui/page.tsx'
import styles from './fund.module.css'

export function HowItWorks() {
  return (
    <Panel title="How it works">
      <ol className={styles.how}>
        <li>Create an invoice in whole US dollars, 10 or more.</li>
        <li>Send exactly its amount in USDT to its address on the TRON network, before it expires.</li>
        <li>The amount less a fee of 1.5 % reaches the card account a minute or two later.</li>
      </ol>
      <p className="muted">One invoice can be open at a time.</p>
    </Panel>
  )
}
