// The parts of every page: its heading with the actions, panels, and pairs of a name and a value.
import { Fragment, type ReactNode, useEffect } from 'react'
import { Go } from './go.tsx'
import { Icon } from './icon.tsx'
import styles from './page.module.css'

interface HeadingProps {
  readonly title: string
  /** Beside the title, such as the state of the object. */
  readonly badge?: ReactNode
  /** Under the title. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** The list that this page belongs to. */
  readonly parent?: { readonly href: string; readonly title: string }
}

export function PageHeading({ title, badge, children, actions, parent }: HeadingProps) {
  useEffect(() => {
    document.title = `${title} · Cardstock`
  }, [title])
  return (
    <header className={styles.heading}>
      <div className={styles.headingText}>
        {parent === undefined ? null : (
          <Go href={parent.href} className={styles.parent}>
            <Icon name="back" size={14} /> {parent.title}
          </Go>
        )}
        <div className={styles.titleLine}>
          <h1 className={styles.title}>{breakable(title)}</h1>
          {badge}
        </div>
        {children === undefined ? null : <div className={styles.subtitle}>{children}</div>}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** An address may be broken after its slashes, so that it does not break within a word. */
function breakable(title: string): ReactNode {
  if (!title.includes('://')) return title
  const parts = title.split(/(?<=\/)(?=[^/])/)
  const startOf = (index: number) => parts.slice(0, index).join('')
  return parts.map((part, index) => (
    <Fragment key={startOf(index)}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
}

interface PanelProps {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Without its own padding, for tables. */
  readonly isFlush?: boolean
}

export function Panel({ title, actions, children, isFlush = false }: PanelProps) {
  return (
    <section className={styles.panel} {...(title === undefined ? {} : { 'aria-label': title })}>
      {title === undefined ? null : (
        <div className={styles.panelHead}>
          <h2 className={styles.panelTitle}>{title}</h2>
          {actions}
        </div>
      )}
      <div className={isFlush ? styles.flush : styles.panelBody}>{children}</div>
    </section>
  )
}

/** Several of them beside the title of a panel. */
export function PanelActions({ children }: { children: ReactNode }) {
  return <div className={styles.panelActions}>{children}</div>
}

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values of an object. A fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (Fact | undefined)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) =>
        fact === undefined ? null : (
          <div key={fact[0]} className={styles.fact}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Two columns that become one where there is no room. */
interface ColumnsProps {
  readonly main: ReactNode
  readonly side: ReactNode
  /** Whether the side comes first in one column. */
  readonly isSideFirst?: boolean
}

export function Columns({ main, side, isSideFirst = false }: ColumnsProps) {
  return (
    <div className={styles.columns} data-side-first={isSideFirst}>
      <div className={styles.stack}>{main}</div>
      <div className={styles.stack}>{side}</div>
    </div>
  )
}

export function Stack({ isHidden = false, children }: { isHidden?: boolean; children: ReactNode }) {
  return (
    <div className={styles.stack} style={isHidden ? { visibility: 'hidden' } : {}}>
      {children}
    </div>
  )
}

/** One column, at most as wide as is good for a form. */
export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={styles.formColumn}>{children}</div>
}
