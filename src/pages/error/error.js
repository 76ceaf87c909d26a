/** Only the style is served: error pages have no script. */
import './error.css';
