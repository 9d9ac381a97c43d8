package report

import (
	"errors"
	"os"
	"path/filepath"
)

// Shared finds the folder with the corpus tool and the evaluation sets:
// LOOKBACK_SHARED, else "shared" beside the checkout.
func Shared() (string, error) {
	if dir := os.Getenv("LOOKBACK_SHARED"); dir != "" {
		return dir, nil
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(root), "shared")
	if _, err := os.Stat(dir); err != nil {
		return "", errors.New("no shared material: set LOOKBACK_SHARED to its folder or lay it beside the checkout as ../shared")
	}
	return dir, nil
}

// Root is the folder of the module, at or above the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			err = errors.New("no go.mod at or above the working directory: run the bench in the checkout")
		}
		dir = up
	}
	return "", err
}
