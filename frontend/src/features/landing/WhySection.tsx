import { keyPath } from '@orange-id/contract/first.call';
import type { ReactNode } from 'react';
import { why } from './landing.text';
import { SectionHead } from './SectionHead';
import styles from './landing.module.css';

interface BenefitProps {
  title: string;
  help: string;
  /** A small picture of the portal. It repeats the text, so it is hidden from screen readers. */
  children: ReactNode;
  isExample?: boolean;
}

function Benefit({ title, help, children, isExample = false }: BenefitProps) {
  return (
    <li className={styles.benefit}>
      <div className={styles.benefitView}>
        {isExample && <span className={styles.exampleMark}>{why.example}</span>}
        <div aria-hidden>{children}</div>
      </div>
      <h3>{title}</h3>
      <p>{help}</p>
    </li>
  );
}

export function WhySection() {
  const { method, path, samples } = keyPath;
  return (
    <section aria-labelledby="why-title">
      <SectionHead id="why-title" title={why.title} lead={why.lead} />
      <ul className={`stack ${styles.benefits}`}>
        <Benefit title={why.setup.title} help={why.setup.help}>
          <p className={styles.miniLabel}>{why.setup.progress}</p>
          <div className={styles.miniSteps}>
            {why.setup.steps.map((step, index) => (
              <span key={step} data-current={index === 2 || undefined}>
                <b>{index * 50}%</b>
                {step}
              </span>
            ))}
          </div>
        </Benefit>
        <Benefit title={why.users.title} help={why.users.help} isExample>
          <div className={styles.miniRows}>
            {why.users.rows.map(([name, value]) => (
              <div key={name}>
                <span>{name}</span>
                <code>{value}</code>
              </div>
            ))}
          </div>
        </Benefit>
        <Benefit title={why.usage.title} help={why.usage.help} isExample>
          <div className={`${styles.miniRows} ${styles.miniCalls}`}>
            {why.usage.rows.map(({ call, status, time }, index) => (
              <div key={index}>
                <code>{call}</code>
                <code data-status={status[0]}>{status}</code>
                <span>{time}</span>
              </div>
            ))}
          </div>
        </Benefit>
        <Benefit title={why.api.title} help={why.api.help} isExample>
          <pre className={styles.miniAnswer}>
            <b>{`${method} ${path}`}</b>
            {`\n${JSON.stringify(samples[0].body, null, 2)}`}
          </pre>
        </Benefit>
      </ul>
    </section>
  );
}
