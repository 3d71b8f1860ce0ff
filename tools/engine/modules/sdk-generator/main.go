// Generates SDKs of the package schema: sdk-generator <schema.json> <folder> <language>…
//
// The generators are those of Pulumi's own command line.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const (
	tool  = "pulumi-cloudinfra"
	goSDK = "github.com/pulumi/pulumi/sdk/v3"
)

// The package schema refers to no other package.
var loader = schema.NewPluginLoader(nil)

var languages = map[string]func(*schema.Package) (map[string][]byte, error){
	"go": goFiles,
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, loader)
	},
}

func main() {
	if err := generate(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(schemaFile, folder string, names []string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	// Without a language it only says what is wrong with the schema.
	if _, err := bind(text); err != nil {
		return err
	}
	for _, name := range names {
		// A generator changes the package that it is given.
		pkg, err := bind(text)
		if err != nil {
			return err
		}
		files, err := languages[name](pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := write(filepath.Join(folder, name), files); err != nil {
			return err
		}
	}
	return nil
}

func bind(text []byte) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	// Warnings too: the schema is ours.
	if len(diagnostics) > 0 {
		return nil, errors.Join(diagnostics.Errs()...)
	}
	return pkg, nil
}

// Pulumi's generator makes the packages of a module, but not its go.mod.
func goFiles(pkg *schema.Package) (map[string][]byte, error) {
	files, err := gogen.GeneratePackage(tool, pkg, nil)
	if err != nil {
		return nil, err
	}
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == goSDK {
			module := pkg.Language["go"].(gogen.GoPackageInfo).ModulePath
			files["cloudinfra/go.mod"] = fmt.Appendf(nil, "module %s\n\ngo 1.25\n\nrequire %s %s\n", module, goSDK, dependency.Version)
		}
	}
	return files, nil
}

func write(folder string, files map[string][]byte) error {
	for name, body := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
