import { narrowScreen } from './landing.pictures';
import styles from './product-picture.module.css';

interface Shot {
  /** URL of the picture, and its size in CSS pixels. */
  src: string;
  width: number;
  height: number;
}

/** A screenshot of the portal in one colour mode; `narrow` replaces it on a phone. */
interface Screen {
  wide: Shot;
  narrow: Shot;
}

interface ProductPictureProps {
  light: Screen;
  dark: Screen;
  alt: string;
}

/**
 * A screenshot of the portal in the page's colour mode. The markup contains both modes and CSS shows one, because no
 * media query knows the visitor's choice. A hidden lazy picture isn't loaded.
 */
export function ProductPicture({ light, dark, alt }: ProductPictureProps) {
  return (
    <div className={styles.root}>
      {[
        { mode: 'light', screen: light },
        { mode: 'dark', screen: dark },
      ].map(({ mode, screen: { wide, narrow } }) => (
        <picture key={mode} data-mode={mode}>
          <source media={narrowScreen} srcSet={narrow.src} width={narrow.width} height={narrow.height} />
          <img {...wide} alt={alt} loading="lazy" decoding="async" />
        </picture>
      ))}
    </div>
  );
}
