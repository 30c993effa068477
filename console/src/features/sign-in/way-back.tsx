// How to get back in without a password, a passkey or a link that still works.
import styles from './sign-in.module.css'

export function WayBack() {
  return (
    <details className={styles.wayBack}>
      <summary>You cannot sign in?</summary>
      <p>Ask an owner of your company, or the operator, for a new link: they find you on the page Team.</p>
      <p>
        Whoever runs the server gets one there: <code>cardstock admin person reset you@example.com</code>
      </p>
    </details>
  )
}
