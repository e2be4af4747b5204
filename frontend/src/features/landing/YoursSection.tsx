import { AppleFilled, GoogleOutlined, MailOutlined, WalletOutlined } from '@ant-design/icons';
import { useState, type ReactNode } from 'react';
import { CodeBlock } from '../../ui/CodeBlock';
import { LinkButton } from '../../ui/LinkButton';
import { useHydrated } from '../../ui/useHydrated';
import { yours } from './landing.text';
import { SectionHead } from './SectionHead';
import { features, panelSnippet, type Feature } from './widget.snippet';
import styles from './landing.module.css';

const names = Object.keys(features) as Feature[];
const accounts = [
  { feature: 'google', icon: <GoogleOutlined />, text: 'Continue with Google' },
  { feature: 'apple', icon: <AppleFilled />, text: 'Continue with Apple' },
  { feature: 'email', icon: <MailOutlined />, text: 'Continue with email' },
] satisfies { feature: Feature; icon: ReactNode; text: string }[];

/** A choice of sign-in methods, with the login panel and the code that result. */
export function YoursSection() {
  const [chosen, setChosen] = useState<ReadonlySet<Feature>>(new Set(names));
  const isHydrated = useHydrated();
  const toggle = (feature: Feature) =>
    setChosen(new Set(names.filter((name) => chosen.has(name) !== (name === feature))));
  return (
    <section className={styles.yours} aria-labelledby="yours-title">
      <div>
        <SectionHead id="yours-title" title={yours.title} lead={yours.lead} />
        <fieldset className={styles.choices} disabled={!isHydrated}>
          <legend>{yours.legend}</legend>
          {names.map((name) => (
            <label key={name} className={styles.choice}>
              <input
                type="checkbox"
                autoComplete="off"
                checked={chosen.has(name)}
                onChange={() => toggle(name)}
              />
              <span>{features[name].title}</span>
            </label>
          ))}
        </fieldset>
        <CodeBlock label="login widget props" language="JSX" code={panelSnippet(chosen)} />
        <div className={styles.acts}>
          <LinkButton to="/customisation" size="large">
            {yours.open}
          </LinkButton>
        </div>
      </div>
      <PanelPreview chosen={chosen} />
    </section>
  );
}

/** A preview of the login panel with these sign-in methods; its texts and order match the widget. */
function PanelPreview({ chosen }: { chosen: ReadonlySet<Feature> }) {
  const shown = accounts.filter(({ feature }) => chosen.has(feature));
  return (
    <figure className={styles.preview}>
      <figcaption className={styles.exampleMark}>{yours.preview}</figcaption>
      <div className={styles.previewPanel}>
        <p className={styles.previewTitle}>Sign in to</p>
        {shown.map(({ feature, icon, text }) => (
          <span key={feature} className={styles.previewButton}>
            {icon}
            {text}
          </span>
        ))}
        {shown.length > 0 && chosen.has('wallet') && <span className={styles.previewOr}>OR</span>}
        {chosen.has('wallet') && (
          <span className={styles.previewButton} data-main>
            <WalletOutlined />
            Connect Wallet
          </span>
        )}
        {chosen.size === 0 && <p className={styles.previewNone}>{yours.none}</p>}
      </div>
    </figure>
  );
}
