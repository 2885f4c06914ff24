;;; eglot.el --- What a person does in Emacs with one file, and what they see  -*- lexical-binding: t -*-

;;; Commentary:
;; Runs in batch, on eglot 1.9 and later, through the commands that keys are bound to.  One JSON object is written to
;; $JAXLINT_REPORT.  Diagnostics are those of Flymake.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'flymake)
(require 'json)

(defconst patience (float (string-to-number (or (getenv "JAXLINT_PATIENCE") "60"))) "Seconds that a slow machine may take for one answer.")
(defvar report nil "What was seen, by name.")
(defvar missed nil "What did not come in time.")

(defun note (name value)
  "Put VALUE into the report as NAME."
  (push (cons name value) report))

(defun wait (what condition)
  "Wait until the function CONDITION gives non-nil, which is returned; else WHAT was missed."
  (let ((end (+ (float-time) patience)) value)
    (while (and (not (setq value (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.02)
      (run-idle))
    (unless value (push what missed))
    value))

(defun run-idle ()
  "Do what Emacs does when nobody types: send changes, and ask Flymake's backends."
  (when (eglot-current-server)
    (eglot--signal-textDocument/didChange)))

(defun place (position)
  "Line and column of POSITION, both from 1, in characters."
  (save-excursion
    (goto-char position)
    (list (line-number-at-pos) (1+ (- (point) (line-beginning-position))))))

(defun code-of (diagnostic)
  "The code of a Flymake DIAGNOSTIC, as the server sent it."
  (plist-get (cdr (assoc 'eglot-lsp-diag (flymake-diagnostic-data diagnostic))) :code))

(defun diagnostics ()
  "The diagnostics of the buffer, in order."
  (sort (copy-sequence (flymake-diagnostics))
        (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))

(defun described ()
  "The diagnostics of the buffer as vectors of alists."
  (vconcat
   (mapcar (lambda (one)
             (let ((from (place (flymake-diagnostic-beg one))) (to (place (flymake-diagnostic-end one))))
               `((code . ,(code-of one)) (message . ,(flymake-diagnostic-text one)) (evidence . [])
                 (line . ,(nth 0 from)) (column . ,(nth 1 from))
                 (end_line . ,(nth 0 to)) (end_column . ,(nth 1 to)))))
           (diagnostics))))

(defun closed ()
  "Findings in files that are in no buffer, as Flymake lists them for the project; nil where there are none."
  (let ((found (mapcan (lambda (file)
                         (mapcar (lambda (one)
                                   (vector (file-name-nondirectory (car file)) (car (flymake-diagnostic-beg one))
                                           (flymake-diagnostic-text one)))
                                 (cdr file)))
                       (copy-tree flymake-list-only-diagnostics))))
    (and found (vconcat found))))

(defun codes ()
  "The codes of the diagnostics, joined."
  (mapconcat #'code-of (diagnostics) " "))

(defun has (code)
  "Whether a diagnostic with CODE is shown."
  (cl-some (lambda (one) (equal (code-of one) code)) (diagnostics)))

(defun goto-finding (code)
  "Go to the first diagnostic with CODE; return its beginning and end."
  (let ((one (cl-find-if (lambda (one) (equal (code-of one) code)) (diagnostics))))
    (goto-char (flymake-diagnostic-beg one))
    (cons (flymake-diagnostic-beg one) (flymake-diagnostic-end one))))

(defun hover ()
  "The text that ElDoc shows at point."
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (or text ""))))
    (wait "hover" (lambda () shown))
    (and shown (substring-no-properties shown))))

(defun act (kind range &optional pattern)
  "Of the actions of KIND for RANGE, take the one that PATTERN matches, else the default; return all titles."
  (let* ((before (buffer-chars-modified-tick))
         (actions (eglot-code-actions (car range) (cdr range) kind))
         (titles (vconcat (mapcar (lambda (one) (plist-get one :title)) actions)))
         (last-nonmenu-event ?\r)
         (completing-read-function
          (lambda (_prompt items &optional _predicate _match _initial _history default &rest _)
            (or (and pattern (cl-find-if (lambda (title) (string-match-p pattern title)) (mapcar #'car items)))
                default (caar items)))))
    (eglot--read-execute-code-action actions (eglot-current-server) (unless pattern kind))
    (let ((changed (wait (concat "action " kind) (lambda () (/= before (buffer-chars-modified-tick))))))
      `((titles . ,titles) (changed . ,(and changed t))))))

(defun text () "The text of the buffer." (buffer-substring-no-properties (point-min) (point-max)))

(defun type-in (keys)
  "Insert KEYS one by one at the end of the buffer, as a person who types does."
  (goto-char (point-max))
  (mapc (lambda (key) (let ((last-command-event key)) (self-insert-command 1 key))) keys))

(defun configure (settings)
  "Let the server know that SETTINGS, a property list, hold from now on."
  (setq-default eglot-workspace-configuration `((:jaxlint . (:settings ,settings))))
  (eglot-signal-didChangeConfiguration (eglot-current-server)))

(defun shapes ()
  "What is shown behind assigned names.  Eglot before 1.10 draws no hints: the server is asked for what it would draw."
  (let ((server (eglot-current-server)) found)
    (setq-default eglot-workspace-configuration '((:jaxlint . (:shapeHints t))))
    (eglot-signal-didChangeConfiguration server)
    (wait "hints"
          (lambda ()
            (setq found (jsonrpc-request server :textDocument/inlayHint
                                         (list :textDocument (eglot--TextDocumentIdentifier)
                                               :range (list :start (eglot--pos-to-lsp-position (point-min))
                                                            :end (eglot--pos-to-lsp-position (point-max))))))
            (> (length found) 0)))
    (configure nil)
    (vconcat (mapcar (lambda (hint) (vector (1+ (plist-get (plist-get hint :position) :line)) (plist-get hint :label)))
                     found))))

(defun scenario ()
  "Open the file, look, fix, undo, fix all, type, leave."
  (find-file (getenv "JAXLINT_FILE"))
  (setq-local python-indent-guess-indent-offset nil)
  (python-mode)
  (buffer-enable-undo)
  (electric-indent-local-mode -1)
  (set-window-buffer (selected-window) (current-buffer))
  (apply #'eglot (eglot--arguments))
  (wait "connection" #'eglot-current-server)
  (wait "diagnostics" #'diagnostics)
  (note 'opened (described))

  (note 'closed (wait "diagnostics of the file that is not open" #'closed))

  (configure '(:ignore ["random"]))
  (wait "the finding to go that a setting ignores" (lambda () (not (has "JX201"))))
  (note 'configured (codes))
  (configure nil)
  (wait "the finding to come back" (lambda () (has "JX201")))

  (goto-finding "JX301")
  (note 'hover (hover))

  (goto-char (point-min))
  (search-forward "\ngrid")
  (backward-char)
  (note 'shape_hover (hover))
  (note 'shapes (shapes))

  (undo-boundary)
  (note 'fix (act "quickfix" (goto-finding "JX101")))
  (note 'fixed (text))
  (wait "fewer diagnostics" (lambda () (not (has "JX101"))))
  (note 'after_fix (codes))

  (undo-boundary)
  (let ((last-command nil)) (undo))
  (note 'undone (text))
  (wait "diagnostics of the undone text" (lambda () (has "JX101")))

  (note 'fix_all (act "source.fixAll.jaxlint" (cons (point-min) (point-max))))
  (note 'all_fixed (text))
  (wait "diagnostics of the fixed text" (lambda () (not (has "JX101"))))

  (note 'ignore (act "quickfix" (goto-finding "JX201") "this line"))
  (note 'ignored (text))
  (wait "the ignored finding to go" (lambda () (not (has "JX201"))))
  (note 'after_ignoring (codes))

  (type-in "\n\ndef again(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n")
  (wait "diagnostics of what was typed" (lambda () (has "JX201")))
  (note 'typed (described))
  (type-in "if (")
  (wait "diagnostics of half-typed code" (lambda () (has "JXE01")))
  (note 'half_typed (codes))

  (let ((server (eglot-current-server)))
    (eglot-shutdown server nil 20 nil)
    (note 'stopped (and (wait "the end of the server" (lambda () (not (jsonrpc-running-p server)))) t))))

(defun eglot--arguments ()
  "What \\[eglot] asks for: modes, project, class, how to reach the server, and the language."
  (list '(python-mode) (cons 'transient (file-name-as-directory (getenv "JAXLINT_ROOT"))) 'eglot-lsp-server
        (append (json-read-from-string (getenv "JAXLINT_COMMAND")) nil) "python"))

(let ((inhibit-message t))
  (condition-case failure
      (scenario)
    (error (note 'failure (format "%S" failure)))))
(note 'client (format "GNU Emacs %s" emacs-version))
(note 'missed (vconcat missed))
(let ((coding-system-for-write 'utf-8-unix))
  (with-temp-file (getenv "JAXLINT_REPORT") (insert (json-encode report))))

;;; eglot.el ends here
