import styles from './landing.module.css';
interface SectionHeadProps {
  id: string;
  title: string;
  lead: string;
}

/** The heading of a section with one sentence below it. */
export function SectionHead({ id, title, lead }: SectionHeadProps) {
  return (
    <div className={styles.sectionHead}>
      <h2 id={id}>{title}</h2>
      <p>{lead}</p>
    </div>
  );
}
