// How to get back in without a password, a passkey or a link that still works.
import styles from './sign-in.module.css'

export function WayBack() {
  return (
    <details className={styles.wayBack}>
      <summary>Cannot sign in?</summary>
      <p>Ask an owner of your company, or the operator, for a new link. Owners create links on the Team page.</p>
      <p>
        If you run the server, create one with <code>cardstock admin person reset you@example.com</code>
      </p>
    </details>
  )
}
