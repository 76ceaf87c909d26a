/** Only the style is served: `/design` has no script. */
import './design.css';
