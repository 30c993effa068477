// The look of every page before signing in: a panel in the middle, with the name above it.
import { type ReactNode, useEffect } from 'react'
import styles from './sign-in.module.css'

export function Door({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Cardstock`
  }, [title])
  return (
    <main className={styles.door}>
      <p className={styles.brand}>
        <img src="/assets/favicon.svg" alt="" width={28} height={28} /> Cardstock
      </p>
      <div className={styles.panel}>
        <h1 className={styles.title}>{title}</h1>
        {intro === undefined ? null : <div className={styles.intro}>{intro}</div>}
        {children}
      </div>
    </main>
  )
}
